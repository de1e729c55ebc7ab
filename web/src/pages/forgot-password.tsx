import { RESET_MINUTES, RESET_PAUSE_MINUTES } from '@shortlist/contracts/limits';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { ForgotForm } from '../features/passwords/forgot-form.tsx';
import { MarkedList } from '../features/session/marked-list.tsx';
import { useConfig } from '../lib/data/use-config.ts';
import { isFromAdminLogin, paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { passwordText } from '../messages/password.ts';
import { AuthLayout } from '../ui/auth-layout.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/email.tsx';
import { Heading } from '../ui/page-header.tsx';

type SentProps = { email: string; login: string; onAgain: () => void };

/** The same for every address: the page does not say which addresses have accounts. */
const Sent = ({ email, login, onAgain }: SentProps): ReactNode => (
  <>
    <header className="auth-head" role="status">
      <Heading>{passwordText('checkEmail')}</Heading>
      <p>
        {passwordText.rich<ReactNode>('linkSent', {
          email: <Email key="email">{email}</Email>,
          minutes: RESET_MINUTES,
        })}
      </p>
    </header>
    <ButtonLink to={login} className="is-wide">
      {passwordText('openLogin')}
    </ButtonLink>
    <p className="auth-end">
      {passwordText.rich<ReactNode>('nothingThere', {
        pause: RESET_PAUSE_MINUTES,
        again: (label) => (
          <button className="link-button" type="button" key="again" onClick={onAgain}>
            {label}
          </button>
        ),
      })}
    </p>
  </>
);

const ForgotPasswordPage = (): ReactNode => {
  usePageInfo({ pageName: 'forgot-password', pageTitle: passwordText('forgot'), pageDescripttion: '' });
  const config = useConfig();
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  const login = isFromAdminLogin(useLocation().state) ? paths.adminLogin : paths.login;
  const handleSent = (sentTo: string): void => {
    setEmail(sentTo);
    setIsSent(true);
  };
  return (
    <AuthLayout config={config} home={login} aside={<MarkedList />}>
      {isSent ? (
        <Sent email={email} login={login} onAgain={() => setIsSent(false)} />
      ) : (
        <>
          <header className="auth-head">
            <Heading>{passwordText('forgot')}</Heading>
            <p>{passwordText('forgotIntroduction')}</p>
          </header>
          <ForgotForm email={email} onSent={handleSent} />
          <p className="auth-end">
            <Link to={login}>{passwordText('backToLogin')}</Link>
          </p>
        </>
      )}
    </AuthLayout>
  );
};

export default ForgotPasswordPage;
