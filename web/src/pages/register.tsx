import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import { AccountForm } from '../features/account/account-form.tsx';
import { accountFormData, emptyAccount } from '../features/account/account-values.ts';
import { useConsent } from '../features/account/consent.tsx';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { useAppSelector, usePageInfo } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { accountFormText } from '../messages/account-form.ts';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';

/** Leads to the login, which says what happens next. Source: docs/product.md. */
const useSignUp = () => {
  const navigate = useNavigate();
  return useCommand(async (form: FormData): Promise<void> => {
    const { data } = await call(publicEndpoints.signup, form);
    const signUp = data.isPending === true ? 'pending' : 'success';
    const query = new URLSearchParams({ signUp, email: data.email, picture: data.picture ?? '' });
    await navigate(`${paths.login}?${query.toString()}`);
  });
};

const RegisterPage = (): ReactNode => {
  usePageInfo({ pageName: 'register', pageTitle: accountFormText('signUp'), pageDescripttion: '' });
  const config = useConfig();
  const isLoggedIn = useAppSelector((state) => state.endUserAuth.isEndUserLoggedIn);
  const { isBusy, failure, run } = useSignUp();
  const consent = useConsent(failure);
  if (isLoggedIn) return <Navigate to={paths.home} replace />;
  return (
    <AuthLayout config={config} isWide>
      <AuthHead title={accountFormText('signUp')}>
        <p>
          {accountFormText('registered')} <Link to={paths.login}>{accountFormText('signIn')}</Link>
        </p>
      </AuthHead>
      <AccountForm
        mode="new"
        initial={emptyAccount}
        picture={null}
        submitLabel={accountFormText('signUp')}
        busyLabel={accountFormText('signingUp')}
        passwordLabel={accountFormText('password')}
        isBusy={isBusy}
        failure={failure}
        consent={consent}
        onSubmit={(values, file) =>
          void run(accountFormData({ values, file, termsAccepted: consent.acceptedVersion }))
        }
      />
    </AuthLayout>
  );
};

export default RegisterPage;
