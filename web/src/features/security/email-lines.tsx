import { Email } from '../../ui/inline.tsx';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { MAILED_CODE_MINUTES } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useEmail } from '../../lib/data/use-account.ts';
import type { EmailChangeValues } from '../../lib/form/password-rules.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { supportsPasskeys } from '../../lib/passkeys.ts';
import { isChangingEmail, paths } from '../../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useResendChange } from '../../lib/data/use-mail-again.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { emailText } from '../../messages/email.ts';
import { securityText } from '../../messages/security.ts';
import { controlText } from '../../messages/shell.ts';
import { Button } from '../../ui/button.tsx';
import { FormFields, PasswordField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Line } from '../../ui/panel.tsx';
import { useFactors } from './two-step-panel.tsx';

const loadRules = async (): Promise<Rules<EmailChangeValues>> =>
  (await import('../../lib/form/password-rules.ts')).emailChangeRules;

const loadRulesWithoutPassword = async (): Promise<Rules<EmailChangeValues>> =>
  (await import('../../lib/form/password-rules.ts')).emailRules;

const EMPTY: EmailChangeValues = { email: '', currentPassword: '' };

const useRequest = (hasPassword: boolean, onClose: () => void) => {
  const token = useUserToken();
  return useCommand(async ({ email, currentPassword }: EmailChangeValues): Promise<void> => {
    const proof = hasPassword ? { currentPassword } : {};
    await call(publicEndpoints.requestEmailChange, { email, ...proof }, { token });
    await revalidate(['profile']);
    onClose();
  });
};

type FieldsProps = {
  form: ReturnType<typeof useForm<EmailChangeValues>>;
  hasPassword: boolean;
  onOtherWay: (() => void) | null;
};

const Fields = ({ form, hasPassword, onOtherWay }: FieldsProps): ReactNode => (
  <>
    <TextField
      label={emailText('newEmail')}
      type="email"
      autoComplete="email"
      data-autofocus
      {...form.input('email')}
    />
    {hasPassword && (
      <PasswordField
        label={emailText('yourPassword')}
        autoComplete="current-password"
        {...form.input('currentPassword')}
      />
    )}
    {onOtherWay !== null && (
      <p>
        <button type="button" className="link-button" onClick={onOtherWay}>
          {emailText('otherWay')}
        </button>
      </p>
    )}
  </>
);

type FormProps = { hasPassword: boolean; onOtherWay: (() => void) | null; onClose: () => void };

/** Without a password, the server requires a recent proof, for which the dialog of the step-up opens. */
const ChangeForm = ({ hasPassword, onOtherWay, onClose }: FormProps): ReactNode => {
  const form = useForm({ initial: EMPTY, loadRules: hasPassword ? loadRules : loadRulesWithoutPassword });
  return (
    <FormDialog
      title={emailText('changeTitle')}
      text={emailText('changeText')}
      submit={emailText('sendLink')}
      form={form}
      command={useRequest(hasPassword, onClose)}
      onFocus={form.preloadRules}
      onClose={onClose}
    >
      <Fields form={form} hasPassword={hasPassword} onOtherWay={onOtherWay} />
    </FormDialog>
  );
};

/** Requests a change of the address: with the password, or with a factor while two-step verification is on. */
const ChangeEmail = ({ onClose }: { onClose: () => void }): ReactNode => {
  const { data: factors } = useFactors();
  const [isOtherWay, setIsOtherWay] = useState(false);
  const isTwoStep = factors !== undefined && factors.totpSince !== null;
  const hasPassword = !isTwoStep && !isOtherWay;
  const hasPasskey = factors !== undefined && factors.passkeys.length > 0 && supportsPasskeys();
  return (
    <ChangeForm
      hasPassword={hasPassword}
      onOtherWay={hasPassword && hasPasskey ? () => setIsOtherWay(true) : null}
      onClose={onClose}
    />
  );
};

const useConfirm = (pendingEmail: string | null) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (code: string): Promise<void> => {
    if (pendingEmail === null) await call(publicEndpoints.verifyEmailCode, { code }, { token });
    else await call(publicEndpoints.confirmEmailChangeCode, { code }, { token });
    const text =
      pendingEmail === null ? emailText('confirmed') : emailText('changedNow', { email: pendingEmail });
    dispatch(toasts.added(text));
    await revalidate(['profile']);
  });
};

/** Brings the form to the top, with the focus in its field, when the address names it. */
const useCodeFocus = (isVisible: boolean) => {
  const form = useRef<HTMLFormElement>(null);
  const { hash, key } = useLocation();
  useEffect(() => {
    if (!isVisible || hash === '' || !paths.emailCode.endsWith(hash)) return;
    form.current?.querySelector('input')?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'start' });
  }, [isVisible, hash, key]);
  return form;
};

/** `isVisible`: its page hides it while other panels load, and a hidden field cannot have the focus. */
type ConfirmProps = { pendingEmail: string | null; isVisible: boolean };

/** Confirms the address, or the new one of a change, by the code of the mail, for users who read it on another device. */
const ConfirmEmail = ({ pendingEmail, isVisible }: ConfirmProps): ReactNode => {
  const [code, setCode] = useState('');
  const { isBusy, failure, run } = useConfirm(pendingEmail);
  const form = useCodeFocus(isVisible);
  return (
    <form
      ref={form}
      className="confirm-email"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(code);
      }}
    >
      <FormFields>
        <TextField
          label={emailText('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={9}
          value={code}
          help={emailText('codeHelp', { minutes: MAILED_CODE_MINUTES })}
          error={failure === null ? undefined : (failure.fields['code'] ?? failure.message)}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          {emailText('confirm')}
        </Button>
      </FormFields>
    </form>
  );
};

const useCancel = () => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.cancelEmailChange, {}, { token });
    dispatch(toasts.added(emailText('canceled')));
    await revalidate(['profile']);
  });
};

/** The new address of a requested change, until it is confirmed. */
const PendingLine = ({ email, below }: { email: string; below: ReactNode }): ReactNode => {
  const resend = useResendChange();
  const cancel = useCancel();
  return (
    <Line
      isMarked
      title={emailText('confirmNew')}
      note={emailText.rich<ReactNode>('sentTo', { email: <Email key="email">{email}</Email> })}
      below={below}
    >
      <Button isReadOnly isBusy={resend.isBusy} onClick={() => void resend.run(email)}>
        {emailText('sendAgain')}
      </Button>
      <Button aria-label={emailText('cancelChange')} isBusy={cancel.isBusy} onClick={() => void cancel.run()}>
        {controlText('cancel')}
      </Button>
    </Line>
  );
};

/** Whether a link led here to change the address. The mark is taken from the history entry: neither a reload nor Back opens the dialog. */
const useIsChangingEmail = (): boolean => {
  const { state, pathname } = useLocation() as { state: unknown; pathname: string };
  const navigate = useNavigate();
  const isRequested = isChangingEmail(state);
  useEffect(() => {
    if (isRequested) void navigate(pathname, { replace: true, state: null });
  }, [isRequested, navigate, pathname]);
  return isRequested;
};

type EmailLinesProps = { email: string } & Pick<ConfirmProps, 'isVisible'>;

/** The address of the account, with the dialog that changes it, and the new one; the form for a code is in the line of its address. */
export const EmailLines = ({ email, isVisible }: EmailLinesProps): ReactNode => {
  const account = useEmail();
  const [isChanging, setIsChanging] = useState(useIsChangingEmail());
  const handleClose = useCallback(() => setIsChanging(false), []);
  const pendingEmail = account?.pendingEmail ?? null;
  const isVerified = account?.isVerified ?? true;
  const confirm = <ConfirmEmail pendingEmail={pendingEmail} isVisible={isVisible} />;
  const note = (
    <>
      <Email>{email}</Email>
      {!isVerified && <> {emailText('unconfirmed')}</>}
    </>
  );
  return (
    <>
      <Line title={securityText('email')} note={note} below={!isVerified && pendingEmail === null && confirm}>
        <Button aria-label={emailText('change')} onClick={() => setIsChanging(true)}>
          {securityText('change')}
        </Button>
        {isChanging && <ChangeEmail onClose={handleClose} />}
      </Line>
      {pendingEmail !== null && <PendingLine email={pendingEmail} below={confirm} />}
    </>
  );
};
