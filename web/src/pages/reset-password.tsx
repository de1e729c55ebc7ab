import { publicEndpoints } from '@shortlist/contracts/api/public';
import { RESET_MINUTES } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { ResetForm } from '../features/passwords/reset-form.tsx';
import { MarkedList } from '../features/session/marked-list.tsx';
import { failureOf } from '../lib/api/api-error.ts';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { useLinkToken } from '../lib/use-link-token.ts';
import { passwordText } from '../messages/password.ts';
import { AuthLayout } from '../ui/auth-layout.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { DoneMark } from '../ui/done-mark.tsx';
import { Email } from '../ui/email.tsx';
import { Heading } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';

const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

/** The address that a link is for. An incomplete link counts as one that has ended. */
const useReset = (token: string | null) => {
  const query = useSWR(
    token === null ? null : ['reset', token],
    () => call(publicEndpoints.checkReset, { token: token ?? '' }),
    ONCE,
  );
  const code = query.error === undefined ? null : failureOf(query.error).code;
  const isEnded = token === null || code === 'identity.link_ended' || code === 'request.invalid';
  return { query, isEnded };
};

const Ended = (): ReactNode => (
  <>
    <header className="auth-head">
      <Heading>{passwordText('linkEnded')}</Heading>
      <p>{passwordText('linkEndedText', { minutes: RESET_MINUTES })}</p>
    </header>
    <ButtonLink variant="primary" className="is-wide" to={paths.forgotPassword}>
      {passwordText('newLink')}
    </ButtonLink>
    <p className="auth-end">
      <Link to={paths.login}>{passwordText('backToLogin')}</Link>
    </p>
  </>
);

const Done = ({ isAdmin }: { isAdmin: boolean }): ReactNode => (
  <>
    <header className="auth-head" role="status">
      <DoneMark />
      <Heading>{passwordText('isNew')}</Heading>
      <p>{passwordText('signedOut')}</p>
    </header>
    <ButtonLink variant="primary" className="is-wide" to={isAdmin ? paths.adminLogin : paths.login}>
      {passwordText('logIn')}
    </ButtonLink>
  </>
);

const LinkSkeleton = (): ReactNode => (
  <Skeleton label={passwordText('loadingLink')}>
    <SkeletonPanel />
  </Skeleton>
);

type Step = 'form' | 'done' | 'ended';

const Reset = ({ token }: { token: string | null }): ReactNode => {
  const { query, isEnded } = useReset(token);
  const [step, setStep] = useState<Step>('form');
  const handleDone = useCallback(() => setStep('done'), []);
  const handleEnded = useCallback(() => setStep('ended'), []);
  if (step === 'ended' || isEnded || token === null) return <Ended />;
  return (
    <QueryView query={query} skeleton={<LinkSkeleton />} errorTitle={passwordText('linkFailed')}>
      {({ data: { email, isAdmin } }) =>
        step === 'done' ? (
          <Done isAdmin={isAdmin} />
        ) : (
          <>
            <header className="auth-head">
              <Heading>{passwordText('setNew')}</Heading>
              <p>{passwordText.rich<ReactNode>('setFor', { email: <Email key="email">{email}</Email> })}</p>
            </header>
            <ResetForm token={token} email={email} onDone={handleDone} onEnded={handleEnded} />
          </>
        )
      }
    </QueryView>
  );
};

const ResetPasswordPage = (): ReactNode => {
  usePageInfo({ pageName: 'reset-password', pageTitle: passwordText('setNew'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()} home={paths.login} aside={<MarkedList />}>
      <Reset key={token} token={token} />
    </AuthLayout>
  );
};

export default ResetPasswordPage;
