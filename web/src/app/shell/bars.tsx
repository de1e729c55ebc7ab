import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { EmailView, OwnEmail, OwnSuppression } from '@shortlist/contracts/api/email';
import { minutes } from '@shortlist/contracts/durations';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { shortDay } from '../../lib/dates.ts';
import { useEmail } from '../../lib/data/use-account.ts';
import { useResend, useResendChange, useRetryEmail } from '../../lib/data/use-mail-again.ts';
import { usePlan } from '../../lib/data/use-plan.ts';
import { CHANGE_EMAIL, paths } from '../../lib/paths.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAppDispatch } from '../../lib/state/hooks.tsx';
import { payLabel, textOf } from '../../lib/subscription-text.ts';
import { needsUser, STATES, subscriptionState } from '../../lib/subscription.rules.ts';
import { useRootAttribute } from '../../lib/use-root-attribute.ts';
import { useTime } from '../../lib/use-time.ts';
import { viewedName, viewingEnd } from '../../lib/viewing.ts';
import { emailText } from '../../messages/email.ts';
import { viewingText } from '../../messages/shell.ts';
import { stateText } from '../../messages/subscription.ts';
import { Email, ExternalLink, ICON } from '../../ui/inline.tsx';
import Eye from 'lucide-react/icons/eye';
import Mail from 'lucide-react/icons/mail';
import TriangleAlert from 'lucide-react/icons/triangle-alert';

/** Where the mail was sent, and until when the address can be confirmed. */
const Explanation = ({ email, pendingEmail, confirmBy }: EmailView): ReactNode => (
  <p>
    <strong>{emailText('confirmTitle')}</strong>{' '}
    {emailText.rich<ReactNode>('sentTo', { email: <Email key="email">{pendingEmail ?? email}</Email> })}{' '}
    {confirmBy !== null && emailText('deletedOn', { date: shortDay(confirmBy) })}
  </p>
);

const ChangeLink = (): ReactNode => {
  const { pathname } = useLocation();
  return pathname === paths.security ? null : (
    <Link to={paths.security} state={CHANGE_EMAIL}>
      {emailText('change')}
    </Link>
  );
};

/** That mails do not reach the user, and what the user can do. */
const SuppressionBar = ({
  email,
  kind,
  confirmBy,
}: OwnSuppression & Pick<EmailView, 'confirmBy'>): ReactNode => {
  const { isBusy, run } = useRetryEmail();
  return (
    <div className="frame-bar" role="status">
      <TriangleAlert {...ICON} />
      <p>
        <strong>{emailText.rich<ReactNode>(kind, { email: <Email key="email">{email}</Email> })}</strong>{' '}
        {emailText(`${kind}Next`)}{' '}
        {confirmBy !== null && emailText('deletedOn', { date: shortDay(confirmBy) })}
      </p>
      <button
        type="button"
        className="link-button"
        aria-disabled={isBusy || undefined}
        onClick={() => void run(email)}
      >
        {emailText('tryAgain')}
      </button>
      <ChangeLink />
    </div>
  );
};

/** One line below the top bar until the user has confirmed the address. */
const ConfirmBar = (account: OwnEmail): ReactNode => {
  const { pathname } = useLocation();
  const [resend, resendChange] = [useResend(), useResendChange()];
  const { email, pendingEmail } = account;
  const { isBusy, run } = pendingEmail === null ? resend : resendChange;
  return (
    <div className="frame-bar" role="status">
      <Mail {...ICON} />
      <Explanation {...account} />
      <button
        type="button"
        className="link-button"
        aria-disabled={isBusy || undefined}
        onClick={() => void run(pendingEmail ?? email)}
      >
        {emailText('sendAgain')}
      </button>
      {pathname !== paths.security && <Link to={paths.emailCode}>{emailText('enterCode')}</Link>}
      <ChangeLink />
    </div>
  );
};

/** What the address of the user needs: that mails reach it, or that it is confirmed. */
export const EmailBar = (): ReactNode => {
  const account = useEmail();
  if (account === undefined) return null;
  const { suppression, isVerified, confirmBy } = account;
  if (suppression) return <SuppressionBar {...suppression} confirmBy={confirmBy} />;
  return isVerified ? null : <ConfirmBar {...account} />;
};

type ProblemBarProps = { view: SubscriptionView; problem: PaymentProblem };

/** The payment in trouble, what happens next, and what mends it; nothing where the user can do nothing. */
const ProblemBar = ({ view, problem }: ProblemBarProps): ReactNode => {
  const state = subscriptionState(view);
  if (!needsUser(state)) return null;
  const { trouble, next, action } = STATES[state];
  return (
    <div className="frame-bar" role="status">
      <TriangleAlert {...ICON} />
      <p>
        <strong>{textOf(trouble, view)}</strong> {textOf(next, view)}
      </p>
      {action === 'portal' || problem.payUrl === null ? (
        <Link to={paths.subscription}>{stateText('openPortal')}</Link>
      ) : (
        <ExternalLink href={problem.payUrl}>{payLabel(problem)}</ExternalLink>
      )}
    </div>
  );
};

/** One line below the top bar while a payment needs the user. The page of the plan says it by itself. */
export const PaymentBar = (): ReactNode => {
  const { pathname } = useLocation();
  const { view } = usePlan();
  if (!view?.problem || pathname === paths.payments) return null;
  return <ProblemBar view={view} problem={view.problem} />;
};

const STEP_MS = 5_000;

const useMinutesLeft = (end: number): number =>
  Math.max(0, Math.floor((end - useTime(STEP_MS)) / minutes(1)));

const Bar = ({ name, end }: { name: string; end: number }): ReactNode => {
  const dispatch = useAppDispatch();
  const minutes = useMinutesLeft(end);
  useRootAttribute('data-viewing', true);
  return (
    <div className="viewing-bar" role="region" aria-label={viewingText('bar', { name })}>
      <Eye {...ICON} />
      <p>
        <strong>{viewingText('bar', { name })}</strong> {viewingText('left', { minutes })}
      </p>
      <button type="button" onClick={() => dispatch(sessions.logoutRequested('user'))}>
        {viewingText('stop')}
      </button>
    </div>
  );
};

/** One line above every page while an admin views the product as a user: whose account it is, how long, and the way out. */
export const ViewingBar = (): ReactNode => {
  const end = viewingEnd();
  return end === null ? null : <Bar name={viewedName()} end={end} />;
};
