import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EMAIL_CHANGE_HOURS } from '@shortlist/contracts/limits';
import { useState, type ReactNode } from 'react';
import { call } from '../lib/api/call.ts';
import { revalidate } from '../lib/data/use-query.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { isEndedLink, useLinkToken } from '../lib/use-link-token.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo, useUserToken } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { emailText } from '../messages/email.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/inline.tsx';

const ToAccount = (): ReactNode => (
  <ButtonLink variant="primary" to={paths.home}>
    {emailText('goToAccount')}
  </ButtonLink>
);

const Done = ({ email }: { email: string }): ReactNode => (
  <>
    <AuthHead title={emailText('changed')} isDone>
      <p>{emailText.rich<ReactNode>('changedNow', { email: <Email key="email">{email}</Email> })}</p>
    </AuthHead>
    <ToAccount />
  </>
);

const Ended = (): ReactNode => (
  <>
    <AuthHead title={emailText('ended')}>
      <p>{emailText('changeEndedText', { hours: EMAIL_CHANGE_HOURS })}</p>
    </AuthHead>
    <ToAccount />
  </>
);

/** With the token of the session, which stays if it is one of the account. */
const useConfirmation = (token: string, onConfirmed: (email: string) => void) => {
  const session = useUserToken();
  return useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.confirmEmailChange, { token }, { token: session });
    onConfirmed(data.email);
    await revalidate(['profile']);
  });
};

/** A button, so that a program which opens the links of a mail confirms nothing. */
const Confirm = ({ token }: { token: string }): ReactNode => {
  const [email, setEmail] = useState<string | null>(null);
  const { isBusy, failure, run } = useConfirmation(token, setEmail);
  if (email !== null) return <Done email={email} />;
  if (isEndedLink(failure)) return <Ended />;
  return (
    <>
      <AuthHead title={emailText('confirmNew')}>
        <p>{emailText('confirmNewText')}</p>
      </AuthHead>
      {failure !== null && <FailureAlert failure={failure} />}
      <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
        {emailText('confirm')}
      </Button>
    </>
  );
};

const ConfirmEmailPage = (): ReactNode => {
  usePageInfo({ pageName: 'confirm-email', pageTitle: emailText('confirmNew'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {token === null ? <Ended /> : <Confirm key={token} token={token} />}
    </AuthLayout>
  );
};

export default ConfirmEmailPage;
