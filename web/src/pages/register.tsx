import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useState, type ReactNode } from 'react';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import { AccountForm } from '../features/account/account-form.tsx';
import { accountFormData } from '../features/account/account-values.ts';
import { useConsent } from '../features/account/consent.tsx';
import { useSignUpDraft } from '../features/account/draft.tsx';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { pageAfterLogIn, paths } from '../lib/paths.ts';
import { sessions } from '../lib/state/sessions.ts';
import { useAppDispatch, useAppSelector, usePageInfo } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { accountFormText } from '../messages/account-form.ts';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';

/**
 * Leads to the login, which says what happens next, or home where the server has logged the new user in. Source: docs/product.md.
 */
const useSignUp = (clearDraft: () => void) => {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [isLoggingIn, setIsLoggingIn] = useState(false);
  const { isBusy, ...command } = useCommand(async (form: FormData): Promise<void> => {
    const { data } = await call(publicEndpoints.signup, form);
    clearDraft();
    if (data.logIn !== undefined) {
      setIsLoggingIn(true);
      dispatch(sessions.loginCompleted('user', { message: 'login', data: data.logIn }));
      return;
    }
    const signUp = data.isPending === true ? 'pending' : 'success';
    const query = new URLSearchParams({ signUp, email: data.email, picture: data.picture ?? '' });
    await navigate(`${paths.login}?${query.toString()}`);
  });
  return { ...command, isBusy: isBusy || isLoggingIn };
};

const RegisterPage = (): ReactNode => {
  usePageInfo({ pageName: 'register', pageTitle: accountFormText('signUp'), pageDescription: '' });
  const config = useConfig();
  const isLoggedIn = useAppSelector((state) => state.sessions.user.isLoggedIn);
  const lastPage = useAppSelector((state) => state.page.lastPage);
  // A reload keeps what was typed but the passwords.
  const draft = useSignUpDraft();
  const { isBusy, failure, run } = useSignUp(draft.clear);
  const consent = useConsent(failure);
  if (isLoggedIn) return <Navigate to={pageAfterLogIn(lastPage)} replace />;
  return (
    <AuthLayout config={config} isWide>
      <AuthHead title={accountFormText('signUp')}>
        <p>
          {accountFormText('registered')} <Link to={paths.login}>{accountFormText('signIn')}</Link>
        </p>
      </AuthHead>
      <AccountForm
        mode="new"
        initial={draft.initial}
        picture={null}
        submitLabel={accountFormText('signUp')}
        busyLabel={accountFormText('signingUp')}
        passwordLabel={accountFormText('password')}
        isBusy={isBusy}
        failure={failure}
        consent={consent}
        onChange={draft.save}
        onSubmit={(values, file) =>
          void run(accountFormData({ values, file, termsAccepted: consent.acceptedVersion }))
        }
      />
    </AuthLayout>
  );
};

export default RegisterPage;
