import type { LogInReply } from '@shortlist/contracts/api/log-in';
import { useCallback, type ReactNode } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { LoginForm, PasskeyLogIn } from '../../features/session/login-form.tsx';
import { SecondStep } from '../../features/session/second-step.tsx';
import { useConfig } from '../../lib/data/use-config.ts';
import { FROM_ADMIN_LOGIN, paths } from '../../lib/paths.ts';
import { adminAuth } from '../../lib/state/auth.ts';
import { useAppDispatch, useAppSelector, usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { sessionText } from '../../messages/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { AuthHead, AuthLayout } from '../../ui/page-frame.tsx';

const AdminLoginPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-login', pageTitle: adminText('login'), pageDescription: '' });
  const config = useConfig();
  const auth = useAppSelector((state) => state.adminAuth);
  const dispatch = useAppDispatch();
  const complete = useCallback((reply: LogInReply) => dispatch(adminAuth.loginCompleted(reply)), [dispatch]);
  // A log-in leads to the dashboard, whichever page required it. Source: docs/product.md.
  if (auth.isLoggedIn) return <Navigate to={paths.admin} replace />;
  if (auth.secondStep !== null)
    return (
      <AuthLayout config={config}>
        <SecondStep
          step={auth.secondStep}
          onCompleted={complete}
          onLeft={(reason) => dispatch(adminAuth.secondStepLeft(reason))}
        />
      </AuthLayout>
    );
  return (
    <AuthLayout config={config}>
      <AuthHead title={adminText('login')}>
        <p>{adminText('loginHint', { brand: config.brand })}</p>
      </AuthHead>
      {auth.expired && <Alert>{adminText('sessionEnded')}</Alert>}
      <LoginForm
        error={auth.errors.at(-1) ?? null}
        isBusy={auth.busy}
        onDismiss={() => dispatch(adminAuth.errorsDismissed())}
        onLogin={(input) => dispatch(adminAuth.loginRequested(input))}
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
