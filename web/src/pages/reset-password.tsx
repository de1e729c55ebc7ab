import { publicEndpoints } from '@shortlist/contracts/api/public';
import { RESET_MINUTES } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import { NewPasswordForm, useNewPassword } from '../features/session/new-password-form.tsx';
import { MarkedList } from '../features/session/login-form.tsx';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useLinkQuery, useLinkToken } from '../lib/use-link-token.ts';
import { passwordText } from '../messages/password.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../ui/states.tsx';

const Ended = (): ReactNode => (
  <>
    <AuthHead title={passwordText('linkEnded')}>
      <p>{passwordText('linkEndedText', { minutes: RESET_MINUTES })}</p>
    </AuthHead>
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
    <AuthHead title={passwordText('isNew')} isDone>
      <p>{passwordText('signedOut')}</p>
    </AuthHead>
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
  const { query, isEnded } = useLinkQuery('reset', token, (value) =>
    call(publicEndpoints.checkReset, { token: value }),
  );
  const form = useNewPassword();
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
            <AuthHead title={passwordText('setNew')}>
              <p>{passwordText.rich<ReactNode>('setFor', { email: <Email key="email">{email}</Email> })}</p>
            </AuthHead>
            <NewPasswordForm
              form={form}
              owner={{ email }}
              label={passwordText('newPassword')}
              submitLabel={passwordText('save')}
              perform={({ password }) => call(publicEndpoints.resetPassword, { token, password })}
              onDone={handleDone}
              onEnded={handleEnded}
            />
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
