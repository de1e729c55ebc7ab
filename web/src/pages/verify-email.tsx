import { publicEndpoints } from '@shortlist/contracts/api/public';
import { VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import { useState, type ReactNode } from 'react';
import { call } from '../lib/api/call.ts';
import { revalidate } from '../lib/data/use-query.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { useEmail } from '../lib/data/use-account.ts';
import { paths } from '../lib/paths.ts';
import { useResend } from '../lib/state/use-command.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useLinkQuery, useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/inline.tsx';
import { LoadingState, QueryView } from '../ui/states.tsx';

const verify = async (token: string) => {
  const { data } = await call(publicEndpoints.verifyEmail, { token });
  await revalidate(['profile']);
  return data;
};

const Done = ({ email }: { email: string }): ReactNode => (
  <>
    <AuthHead title={emailText('confirmed')} isDone>
      <p>
        <Email>{email}</Email>
      </p>
    </AuthHead>
    <ButtonLink variant="primary" to={paths.home}>
      {emailText('goToAccount')}
    </ButtonLink>
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
const Ended = (): ReactNode => {
  const account = useEmail();
  if (account?.isVerified) return <Done email={account.email} />;
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

const VerifyEmailPage = (): ReactNode => {
  usePageInfo({ pageName: 'verify-email', pageTitle: emailText('confirming'), pageDescripttion: '' });
  const { query, isEnded } = useLinkQuery('verify-email', useLinkToken(), verify);
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {isEnded ? (
        <Ended />
      ) : (
        <QueryView
          query={query}
          skeleton={<LoadingState title={emailText('confirming')}>{emailText('moment')}</LoadingState>}
          errorTitle={emailText('failed')}
        >
          {({ email }) => <Done email={email} />}
        </QueryView>
      )}
    </AuthLayout>
  );
};

export default VerifyEmailPage;
