import { publicEndpoints } from '@shortlist/contracts/api/public';
import { INVITATION_DAYS } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import useSWR from 'swr';
import { AcceptForm } from '../../features/admin-team/accept-form.tsx';
import { roleName } from '../../features/admin-team/roles-panel.tsx';
import { failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { teamText } from '../../messages/team.ts';
import { AuthLayout } from '../../ui/page-frame.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { DoneMark, Email } from '../../ui/inline.tsx';
import { Heading } from '../../ui/page-header.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

/** The invitation of a link. An incomplete link counts as one that has ended. */
const useInvitation = (token: string | null) => {
  const query = useSWR(
    token === null ? null : ['invitation', token],
    () => call(publicEndpoints.checkInvitation, { token: token ?? '' }),
    ONCE,
  );
  const code = query.error === undefined ? null : failureOf(query.error).code;
  return { query, isEnded: token === null || code === 'identity.link_ended' || code === 'request.invalid' };
};

const Ended = (): ReactNode => (
  <>
    <header className="auth-head">
      <Heading>{teamText('acceptEnded')}</Heading>
      <p>{teamText('acceptEndedText', { days: INVITATION_DAYS })}</p>
    </header>
    <ButtonLink className="is-wide" to={paths.adminLogin}>
      {teamText('toLogin')}
    </ButtonLink>
  </>
);

const Joined = (): ReactNode => (
  <>
    <header className="auth-head" role="status">
      <DoneMark />
      <Heading>{teamText('joined')}</Heading>
      <p>{teamText('joinedText')}</p>
    </header>
    <ButtonLink variant="primary" className="is-wide" to={paths.adminLogin}>
      {teamText('logIn')}
    </ButtonLink>
  </>
);

const InvitationSkeleton = (): ReactNode => (
  <Skeleton label={teamText('acceptLoading')}>
    <SkeletonPanel />
  </Skeleton>
);

const Invitation = ({ token }: { token: string | null }): ReactNode => {
  const { query, isEnded } = useInvitation(token);
  const [step, setStep] = useState<'form' | 'done' | 'ended'>('form');
  const handleDone = useCallback(() => setStep('done'), []);
  const handleEnded = useCallback(() => setStep('ended'), []);
  if (step === 'done') return <Joined />;
  if (step === 'ended' || isEnded || token === null) return <Ended />;
  return (
    <QueryView query={query} skeleton={<InvitationSkeleton />} errorTitle={teamText('acceptFailed')}>
      {({ data: { email, role } }) => (
        <>
          <header className="auth-head">
            <Heading>{teamText('acceptTitle')}</Heading>
            <p>
              {teamText.rich<ReactNode>('acceptText', {
                role: roleName(role),
                email: <Email key="email">{email}</Email>,
              })}
            </p>
          </header>
          <AcceptForm token={token} email={email} onDone={handleDone} onEnded={handleEnded} />
        </>
      )}
    </QueryView>
  );
};

const AcceptInvitationPage = (): ReactNode => {
  usePageInfo({ pageName: 'accept-invitation', pageTitle: teamText('acceptTitle'), pageDescripttion: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()}>
      <Invitation key={token} token={token} />
    </AuthLayout>
  );
};

export default AcceptInvitationPage;
