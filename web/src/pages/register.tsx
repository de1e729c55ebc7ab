import { publicDoors } from '@shortlist/contracts/api/public';
import { useCallback, type ReactNode } from 'react';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import { AccountForm } from '../features/account-form/account-form.tsx';
import {
  accountFormData,
  emptyAccount,
  type AccountValues,
} from '../features/account-form/account-values.ts';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { useAppSelector } from '../lib/state/hooks.ts';
import { useCommand } from '../lib/state/use-command.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { AuthLayout } from '../ui/auth-layout.tsx';
import { Heading } from '../ui/page-header.tsx';

type FormInput = { values: AccountValues; file: File | null };

const RegisterPage = (): ReactNode => {
  usePageInfo({ pageName: 'register', pageTitle: 'Sign up', pageDescripttion: '' });
  const config = useConfig();
  const navigate = useNavigate();
  const isLoggedIn = useAppSelector((state) => state.endUserAuth.isEndUserLoggedIn);
  const signUp = useCallback(
    async (filled: FormInput): Promise<void> => {
      const { data } = await call(publicDoors.signup, accountFormData(filled));
      const query = new URLSearchParams({
        signUp: 'success',
        email: data.email,
        picture: data.picture ?? '',
      });
      await navigate(`${paths.login}?${query.toString()}`);
    },
    [navigate],
  );
  const { isBusy, failure, run } = useCommand(signUp);
  if (isLoggedIn) return <Navigate to={paths.home} replace />;
  return (
    <AuthLayout config={config} isWide>
      <header className="auth-head">
        <Heading>Sign Up</Heading>
        <p>
          Already registered? <Link to={paths.login}>Sign In</Link>
        </p>
      </header>
      <AccountForm
        mode="new"
        initial={emptyAccount}
        picture={null}
        submitLabel="Sign Up"
        passwordLabel="Password"
        isBusy={isBusy}
        failure={failure}
        onSubmit={(values, file) => void run({ values, file })}
      />
    </AuthLayout>
  );
};

export default RegisterPage;
