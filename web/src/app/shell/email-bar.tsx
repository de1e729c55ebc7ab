import Mail from 'lucide-react/icons/mail';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useEmail } from '../../lib/data/use-email.ts';
import { paths } from '../../lib/paths.ts';
import { useResend } from '../../lib/state/use-resend.ts';
import { emailText } from '../../messages/email.ts';
import { Button } from '../../ui/button.tsx';

/** One line below the top bar until the user has confirmed the address. */
export const EmailBar = (): ReactNode => {
  const account = useEmail();
  const { pathname } = useLocation();
  const { isBusy, run } = useResend();
  if (account === undefined || account.isVerified) return null;
  const { email } = account;
  return (
    <div className="frame-bar" role="status">
      <Mail size={18} strokeWidth={1.75} aria-hidden="true" />
      <p>
        <strong>{emailText('confirmTitle')}</strong>{' '}
        {emailText.rich<ReactNode>('sentTo', { email: <bdi key="email">{email}</bdi> })}
      </p>
      <Button variant="quiet" isSmall isBusy={isBusy} onClick={() => void run(email)}>
        {emailText('sendAgain')}
      </Button>
      {pathname !== paths.security && <Link to={paths.security}>{emailText('enterCode')}</Link>}
    </div>
  );
};
