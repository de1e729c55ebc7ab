import { adminRoleText } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { INVITATION_DAYS, NAME_MAX } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import { NewPasswordForm } from '../../features/session/new-password-form.tsx';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import type { JoinValues } from '../../lib/form/password-rules.ts';
import { type Rules, useForm } from '../../lib/form/use-form.ts';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { useLinkQuery, useLinkToken } from '../../lib/use-link-token.ts';
import { teamText } from '../../messages/team.ts';
import { AuthHead, AuthLayout } from '../../ui/page-frame.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { StrongEmail } from '../../ui/inline.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const Ended = (): ReactNode => (
  <>
    <AuthHead title={teamText('acceptEnded')}>
      <p>{teamText('acceptEndedText', { days: INVITATION_DAYS })}</p>
    </AuthHead>
    <ButtonLink className="is-wide" to={paths.adminLogin}>
      {teamText('toLogin')}
    </ButtonLink>
  </>
);

const Joined = (): ReactNode => (
  <>
    <AuthHead title={teamText('joined')} isDone>
      <p>{teamText('joinedText')}</p>
    </AuthHead>
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

const loadRules = async (): Promise<Rules<JoinValues>> =>
  (await import('../../lib/form/password-rules.ts')).joinRules;

const EMPTY: JoinValues = { name: '', password: '', passwordRepeat: '' };

const Invitation = ({ token }: { token: string | null }): ReactNode => {
  const { query, isEnded } = useLinkQuery('invitation', token, (value) =>
    call(publicEndpoints.checkInvitation, { token: value }),
  );
  const form = useForm({ initial: EMPTY, loadRules });
  const [step, setStep] = useState<'form' | 'done' | 'ended'>('form');
  const handleDone = useCallback(() => setStep('done'), []);
  const handleEnded = useCallback(() => setStep('ended'), []);
  if (step === 'done') return <Joined />;
  if (step === 'ended' || isEnded || token === null) return <Ended />;
  return (
    <QueryView query={query} skeleton={<InvitationSkeleton />} errorTitle={teamText('acceptFailed')}>
      {({ data: { email, role } }) => (
        <>
          <AuthHead title={teamText('acceptTitle')}>
            <p>
              {teamText.rich<ReactNode>('acceptText', {
                role: adminRoleText(role),
                email: <StrongEmail key="email">{email}</StrongEmail>,
              })}
            </p>
          </AuthHead>
          <NewPasswordForm
            form={form}
            owner={{ email, words: form.values.name.split(/\s+/) }}
            label={teamText('acceptLabel')}
            submitLabel={teamText('acceptIt')}
            perform={({ name, password }) =>
              call(publicEndpoints.acceptInvitation, { token, name, password })
            }
            onDone={handleDone}
            onEnded={handleEnded}
          >
            <TextField
              label={teamText('name')}
              autoComplete="name"
              maxLength={NAME_MAX}
              {...form.input('name')}
            />
          </NewPasswordForm>
        </>
      )}
    </QueryView>
  );
};

const AcceptInvitationPage = (): ReactNode => {
  usePageInfo({ pageName: 'accept-invitation', pageTitle: teamText('acceptTitle'), pageDescription: '' });
  const token = useLinkToken();
  return (
    <AuthLayout config={useConfig()}>
      <Invitation key={token} token={token} />
    </AuthLayout>
  );
};

export default AcceptInvitationPage;
