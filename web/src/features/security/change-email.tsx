import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import type { EmailChangeValues } from '../../lib/form/password-rules.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { supportsPasskeys } from '../../lib/passkeys.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { useUserToken } from '../../lib/state/hooks.ts';
import { controlText } from '../../messages/controls.ts';
import { emailText } from '../../messages/email.ts';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { useFactors } from './use-factors.ts';

const loadRules = async (): Promise<Rules<EmailChangeValues>> =>
  (await import('../../lib/form/password-rules.ts')).emailChangeRules;

const loadRulesWithoutPassword = async (): Promise<Rules<EmailChangeValues>> =>
  (await import('../../lib/form/password-rules.ts')).emailRules;

const EMPTY: EmailChangeValues = { email: '', currentPassword: '' };

const useRequest = (hasPassword: boolean, onClose: () => void) => {
  const token = useUserToken();
  const request = useCallback(
    async ({ email, currentPassword }: EmailChangeValues): Promise<void> => {
      const proof = hasPassword ? { currentPassword } : {};
      await call(publicEndpoints.requestEmailChange, { email, ...proof }, { token });
      await revalidate(['profile']);
      onClose();
    },
    [token, hasPassword, onClose],
  );
  return useCommand(request);
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
    <ChangeDialog
      title={emailText('changeTitle')}
      text={emailText('changeText')}
      submit={emailText('sendLink')}
      cancel={controlText('cancel')}
      form={form}
      command={useRequest(hasPassword, onClose)}
      onClose={onClose}
    >
      <Fields form={form} hasPassword={hasPassword} onOtherWay={onOtherWay} />
    </ChangeDialog>
  );
};

/** Requests a change of the address: with the password, or with a factor while two-step verification is on. */
export const ChangeEmail = ({ onClose }: { onClose: () => void }): ReactNode => {
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
