import type { EmailView } from '@shortlist/contracts/api/identity';
import Mail from 'lucide-react/icons/mail';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useEmail } from '../../lib/data/use-email.ts';
import { longDay } from '../../lib/dates.ts';
import { CHANGE_EMAIL, paths } from '../../lib/paths.ts';
import { useResend, useResendChange } from '../../lib/state/use-resend.ts';
import { emailText } from '../../messages/email.ts';

/** Where the mail was sent, and until when the address can be confirmed. */
const Explanation = ({ email, pendingEmail, confirmBy }: EmailView): ReactNode => (
  <p>
    <strong>{emailText('confirmTitle')}</strong>{' '}
    {emailText.rich<ReactNode>('sentTo', { email: <bdi key="email">{pendingEmail ?? email}</bdi> })}{' '}
    {confirmBy !== null && emailText('deletedOn', { date: longDay(confirmBy) })}
  </p>
);

/** One line below the top bar until the user has confirmed the address. */
export const EmailBar = (): ReactNode => {
  const account = useEmail();
  const { pathname } = useLocation();
  const [resend, resendChange] = [useResend(), useResendChange()];
  if (account === undefined || account.isVerified) return null;
  const { email, pendingEmail } = account;
  const { isBusy, run } = pendingEmail === null ? resend : resendChange;
  return (
    <div className="frame-bar" role="status">
      <Mail size={18} strokeWidth={1.75} aria-hidden="true" />
      <Explanation {...account} />
      <button
        type="button"
        className="link-button"
        aria-disabled={isBusy || undefined}
        onClick={() => void run(pendingEmail ?? email)}
      >
        {emailText('sendAgain')}
      </button>
      {pathname !== paths.security && <Link to={paths.security}>{emailText('enterCode')}</Link>}
      {pathname !== paths.security && (
        <Link to={paths.security} state={CHANGE_EMAIL}>
          {emailText('change')}
        </Link>
      )}
    </div>
  );
};
