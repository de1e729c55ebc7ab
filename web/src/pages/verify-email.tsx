import { publicEndpoints } from '@shortlist/contracts/api/public';
import { VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import { useState, type ReactNode } from 'react';
import useSWR from 'swr';
import { failureOf } from '../lib/api/api-error.ts';
import { call } from '../lib/api/call.ts';
import { revalidate } from '../lib/data/live-updates.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { useEmail } from '../lib/data/use-email.ts';
import { paths } from '../lib/paths.ts';
import { useResend } from '../lib/state/use-command.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useLinkToken } from '../lib/use-link-token.ts';
import { emailText } from '../messages/email.ts';
import { AuthLayout } from '../ui/page-frame.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DoneMark, Email } from '../ui/inline.tsx';
import { Heading } from '../ui/page-header.tsx';
import { LoadingState, QueryView } from '../ui/states.tsx';

const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

/** Confirms the address once for each token. */
const useVerification = (token: string | null) => {
  const query = useSWR(
    token === null ? null : ['verify-email', token],
    async () => {
      const { data } = await call(publicEndpoints.verifyEmail, { token: token ?? '' });
      await revalidate(['profile']);
      return data;
    },
    ONCE,
  );
  const code = query.error === undefined ? null : failureOf(query.error).code;
  return { query, isEnded: token === null || code === 'identity.link_ended' || code === 'request.invalid' };
};

const Done = ({ email }: { email: string }): ReactNode => (
  <>
    <header className="auth-head" role="status">
      <DoneMark />
      <Heading>{emailText('confirmed')}</Heading>
      <p>
        <Email>{email}</Email>
      </p>
    </header>
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
      <header className="auth-head">
        <Heading>{emailText('ended')}</Heading>
        <p>
          {emailText('endedText', { hours: VERIFICATION_HOURS })}{' '}
          {account === undefined && emailText('logInForNew')}
        </p>
      </header>
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
  const { query, isEnded } = useVerification(useLinkToken());
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
