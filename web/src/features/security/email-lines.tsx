import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useEmail } from '../../lib/data/use-email.ts';
import { isChangingEmail } from '../../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { useResendChange } from '../../lib/state/use-resend.ts';
import { controlText } from '../../messages/controls.ts';
import { emailText } from '../../messages/email.ts';
import { securityText } from '../../messages/security.ts';
import { Button } from '../../ui/button.tsx';
import { Line } from '../../ui/lines.tsx';
import { ChangeEmail } from './change-email.tsx';

const useCancel = () => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.cancelEmailChange, {}, { token });
      dispatch(toasts.added(emailText('canceled')));
      await revalidate(['profile']);
    }, [token, dispatch]),
  );
};

/** The new address of a requested change, until it is confirmed. */
const PendingLine = ({ email }: { email: string }): ReactNode => {
  const resend = useResendChange();
  const cancel = useCancel();
  return (
    <Line
      isMarked
      title={emailText('confirmNew')}
      note={emailText.rich<ReactNode>('sentTo', { email: <bdi key="email">{email}</bdi> })}
    >
      <Button isBusy={resend.isBusy} onClick={() => void resend.run(email)}>
        {emailText('sendAgain')}
      </Button>
      <Button
        aria-label={emailText('cancelChange')}
        isBusy={cancel.isBusy}
        onClick={() => void cancel.run(undefined)}
      >
        {controlText('cancel')}
      </Button>
    </Line>
  );
};

/** The address of the account, with the dialog that changes it. */
export const EmailLines = ({ email }: { email: string }): ReactNode => {
  const account = useEmail();
  const [isChanging, setIsChanging] = useState(isChangingEmail(useLocation().state));
  const handleClose = useCallback(() => setIsChanging(false), []);
  const pendingEmail = account?.pendingEmail ?? null;
  const isVerified = account?.isVerified ?? true;
  const note = (
    <>
      <bdi>{email}</bdi>
      {!isVerified && <> {emailText('unconfirmed')}</>}
    </>
  );
  return (
    <>
      <Line title={securityText('email')} note={note}>
        <Button aria-label={emailText('change')} onClick={() => setIsChanging(true)}>
          {securityText('change')}
        </Button>
        {isChanging && <ChangeEmail onClose={handleClose} />}
      </Line>
      {pendingEmail !== null && <PendingLine email={pendingEmail} />}
    </>
  );
};
