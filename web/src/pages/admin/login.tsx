import type { LogInReply } from '@shortlist/contracts/api/authentication';
import { useCallback, type ReactNode } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { LoginForm, PasskeyLogIn } from '../../features/session/login-form.tsx';
import { SecondStep } from '../../features/session/second-step.tsx';
import { useConfig } from '../../lib/data/use-config.ts';
import { FROM_ADMIN_LOGIN, paths } from '../../lib/paths.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAppDispatch, usePageInfo, useSession } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { sessionText } from '../../messages/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { AuthHead, AuthLayout } from '../../ui/page-frame.tsx';

const AdminLoginPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-login', pageTitle: adminText('login'), pageDescription: '' });
  const config = useConfig();
  const session = useSession('admin');
  const dispatch = useAppDispatch();
  const complete = useCallback(
    (reply: LogInReply) => dispatch(sessions.loginCompleted('admin', reply)),
    [dispatch],
  );
  // A log-in leads to the dashboard, whichever page required it. Source: docs/product.md.
  if (session.isLoggedIn) return <Navigate to={paths.admin} replace />;
  if (session.secondStep !== null)
    return (
      <AuthLayout config={config}>
        <SecondStep
          step={session.secondStep}
          onCompleted={complete}
          onLeft={(reason) => dispatch(sessions.secondStepLeft('admin', reason))}
        />
      </AuthLayout>
    );
  return (
    <AuthLayout config={config}>
      <AuthHead title={adminText('login')}>
        <p>{adminText('loginHint', { brand: config.brand })}</p>
      </AuthHead>
      {session.expired && <Alert>{adminText('sessionEnded')}</Alert>}
      <LoginForm
        error={session.errors.at(-1) ?? null}
        isBusy={session.busy}
        onDismiss={() => dispatch(sessions.errorsDismissed('admin'))}
        onLogin={(input) => dispatch(sessions.loginRequested('admin', input))}
      />
      <PasskeyLogIn role="admin" onCompleted={complete} />
      <p className="auth-end">
        <Link to={paths.forgotPassword} state={FROM_ADMIN_LOGIN}>
          {sessionText('forgotPassword')}
        </Link>
      </p>
    </AuthLayout>
  );
};

export default AdminLoginPage;
