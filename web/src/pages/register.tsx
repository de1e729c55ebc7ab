import type { ReactNode } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { AccountForm } from '../features/account/account-form.tsx';
import { accountFormData, emptyAccount } from '../features/account/account-values.ts';
import { useConsent } from '../features/account/consent.tsx';
import { userCommandsSaga } from '../features/users/user-commands-saga.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { useAppSelector, usePageInfo, useSaga } from '../lib/state/hooks.tsx';
import { useUserCommand } from '../lib/state/use-command.ts';
import { accountFormText } from '../messages/account-form.ts';
import { AuthLayout } from '../ui/page-frame.tsx';
import { Heading } from '../ui/page-header.tsx';

const RegisterPage = (): ReactNode => {
  useSaga(userCommandsSaga);
  usePageInfo({ pageName: 'register', pageTitle: accountFormText('signUp'), pageDescripttion: '' });
  const config = useConfig();
  const isLoggedIn = useAppSelector((state) => state.endUserAuth.isEndUserLoggedIn);
  const { isBusy, failure, run } = useUserCommand('signUp');
  const consent = useConsent(failure);
  if (isLoggedIn) return <Navigate to={paths.home} replace />;
  return (
    <AuthLayout config={config} isWide>
      <header className="auth-head">
        <Heading>{accountFormText('signUp')}</Heading>
        <p>
          {accountFormText('registered')} <Link to={paths.login}>{accountFormText('signIn')}</Link>
        </p>
      </header>
      <AccountForm
        mode="new"
        initial={emptyAccount}
        picture={null}
        submitLabel={accountFormText('signUp')}
        passwordLabel={accountFormText('password')}
        isBusy={isBusy}
        failure={failure}
        consent={consent}
        onSubmit={(values, file) =>
          run({ form: accountFormData({ values, file, termsAccepted: consent.acceptedVersion }) })
        }
      />
    </AuthLayout>
  );
};

export default RegisterPage;
