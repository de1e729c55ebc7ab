// The pages of the links in the mails that confirm an address: the one of a sign-up, and the new one of an account.
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { EMAIL_CHANGE_HOURS, VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import { type ReactNode, useState } from 'react';
import { call } from '../lib/api/call.ts';
import { revalidate } from '../lib/data/use-query.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { useEmail } from '../lib/data/use-account.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo, useUserToken } from '../lib/state/hooks.tsx';
import { useCommand, useResend } from '../lib/state/use-command.ts';
import { isEndedLink, useLinkQuery, useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { LoadingState, QueryView } from '../ui/states.tsx';

const toAccount = (
  <ButtonLink variant="primary" to={paths.home}>
    {emailText('goToAccount')}
  </ButtonLink>
);

const verify = async (token: string) => {
  const { data } = await call(publicEndpoints.verifyEmail, { token });
  await revalidate(['profile']);
  return data;
};

const Verified = ({ email }: { email: string }): ReactNode => (
  <>
    <AuthHead title={emailText('confirmed')} isDone>
      <p>
        <Email>{email}</Email>
      </p>
    </AuthHead>
    {toAccount}
  </>
);

const NewLink = ({ email }: { email: string }): ReactNode => {
  const [isSent, setIsSent] = useState(false);
  const { isBusy, run } = useResend(() => setIsSent(true));
  if (isSent)
    return (
      <p role="status">
        {emailText.rich<ReactNode>('sentAgain', { email: <Email key="email">{email}</Email> })}
      </p>
    );
  return (
    <Button variant="primary" isBusy={isBusy} onClick={() => void run(email)}>
      {emailText('sendNew')}
    </Button>
  );
};

/** A link that was followed twice has confirmed the address the first time. */
const VerificationEnded = (): ReactNode => {
  const account = useEmail();
  if (account?.isVerified) return <Verified email={account.email} />;
  return (
    <>
      <AuthHead title={emailText('ended')}>
        <p>
          {emailText('endedText', { hours: VERIFICATION_HOURS })}{' '}
          {account === undefined && emailText('logInForNew')}
        </p>
      </AuthHead>
      {account === undefined ? (
        <ButtonLink variant="primary" to={paths.login}>
          {emailText('logIn')}
        </ButtonLink>
      ) : (
        <NewLink email={account.email} />
      )}
    </>
  );
};

export const VerifyEmailPage = (): ReactNode => {
  usePageInfo({ pageName: 'verify-email', pageTitle: emailText('confirming'), pageDescripttion: '' });
  const { query, isEnded } = useLinkQuery('verify-email', useLinkToken(), verify);
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {isEnded ? (
        <VerificationEnded />
      ) : (
        <QueryView
          query={query}
          skeleton={<LoadingState title={emailText('confirming')}>{emailText('moment')}</LoadingState>}
          errorTitle={emailText('failed')}
        >
          {({ email }) => <Verified email={email} />}
        </QueryView>
      )}
    </AuthLayout>
  );
};

const Changed = ({ email }: { email: string }): ReactNode => (
  <>
    <AuthHead title={emailText('changed')} isDone>
      <p>{emailText.rich<ReactNode>('changedNow', { email: <Email key="email">{email}</Email> })}</p>
    </AuthHead>
    {toAccount}
  </>
);

const ChangeEnded = (): ReactNode => (
  <>
    <AuthHead title={emailText('ended')}>
      <p>{emailText('changeEndedText', { hours: EMAIL_CHANGE_HOURS })}</p>
    </AuthHead>
    {toAccount}
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
const ConfirmChange = ({ token }: { token: string }): ReactNode => {
  const [email, setEmail] = useState<string | null>(null);
  const { isBusy, failure, run } = useConfirmation(token, setEmail);
  if (email !== null) return <Changed email={email} />;
  if (isEndedLink(failure)) return <ChangeEnded />;
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

export const ConfirmEmailPage = (): ReactNode => {
  usePageInfo({ pageName: 'confirm-email', pageTitle: emailText('confirmNew'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {token === null ? <ChangeEnded /> : <ConfirmChange key={token} token={token} />}
    </AuthLayout>
  );
};
