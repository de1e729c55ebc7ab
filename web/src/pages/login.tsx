import { PICTURE_NAME } from '@shortlist/contracts/limits';
import type { LogInReply, SecondStep as SecondStepTicket } from '@shortlist/contracts/api/authentication';
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { LoginForm, MarkedList, PasskeyLogIn } from '../features/session/login-form.tsx';
import { useConfig } from '../lib/data/use-config.ts';
import { shortTime } from '../lib/dates.ts';
import { isLoginRequired, pageAfterLogIn, paths } from '../lib/paths.ts';
import { sessions } from '../lib/state/sessions.ts';
import { useAppDispatch, useAppSelector, usePageInfo, useSession } from '../lib/state/hooks.tsx';
import { sessionText } from '../messages/session.ts';
import { Alert } from '../ui/alert.tsx';
import { AuthLayout } from '../ui/page-frame.tsx';
import { Avatar } from '../ui/inline.tsx';
import { Heading } from '../ui/page-header.tsx';
import { Skeleton, SkeletonPanel, useDelay } from '../ui/states.tsx';

// Most log-ins have one step.
const SecondStep = lazy(async () => ({
  default: (await import('../features/session/second-step.tsx')).SecondStep,
}));

const MESSAGE_AFTER_MS = 500;

/** The message after a sign-up. It takes its space from the start, so that the form does not move. */
const Registered = ({ isPending }: { isPending: boolean }): ReactNode => {
  const isVisible = useDelay(MESSAGE_AFTER_MS);
  const [isDismissed, setIsDismissed] = useState(false);
  const text = sessionText(isPending ? 'confirmThenLogIn' : 'registered');
  if (isDismissed) return null;
  if (!isVisible)
    return (
      <div className="alert is-pending" aria-hidden="true">
        <div>{text}</div>
      </div>
    );
  return (
    <Alert tone="good" onDismiss={() => setIsDismissed(true)}>
      {text}
    </Alert>
  );
};

/** Only generated picture names are accepted: anyone can craft the query, and the picture may not exist. */
const Head = ({ picture }: { picture: string | null }): ReactNode => {
  const [isMissing, setIsMissing] = useState(false);
  const isVisible = picture !== null && PICTURE_NAME.test(picture);
  return (
    <header className="auth-head" onErrorCapture={() => setIsMissing(true)}>
      {isVisible && !isMissing && (
        <Avatar name="" src={paths.picture(picture)} size="large" alt={sessionText('picture')} />
      )}
      <Heading>{sessionText('logIn')}</Heading>
      <p>{sessionText(isVisible ? 'welcome' : 'introduction')}</p>
    </header>
  );
};

/** An email in the query comes from the sign-up, with or without `signUp`. Source: docs/product.md. */
const isFromSignUp = (query: URLSearchParams): boolean =>
  query.get('signUp') === 'success' || Boolean(query.get('email'));

/**
 * Where a visitor who is logged in already goes: an admin to the admin area, a user to the last page. The admin comes first, and is
 * waited for: with both sessions in one browser the check that ends first must not decide. Source: docs/product.md.
 */
const useVisitor = (): { destination: string | null; isChecking: boolean } => {
  const [user, admin] = [useSession('user'), useSession('admin')];
  const lastPage = useAppSelector((state) => state.page.lastPage);
  const [query] = useSearchParams();
  // An admin who opens a user's page, or has signed up as one, is to log in as a user.
  const isForUser = isLoginRequired(useLocation().state) || isFromSignUp(query);
  const isChecking = user.phase === 'checking' || (admin.phase === 'checking' && !isForUser);
  if (admin.isLoggedIn && !isForUser) return { destination: paths.admin, isChecking: false };
  const isUser = user.isLoggedIn && !isChecking;
  return { destination: isUser ? pageAfterLogIn(lastPage) : null, isChecking };
};

const CheckingSession = (): ReactNode => (
  <AuthLayout config={useConfig()}>
    <Skeleton label={sessionText('checking')}>
      <SkeletonPanel />
    </Skeleton>
  </AuthLayout>
);

const useCompletion = (): ((reply: LogInReply) => void) => {
  const dispatch = useAppDispatch();
  return useCallback((reply) => dispatch(sessions.loginCompleted('user', reply)), [dispatch]);
};

const SecondStepOf = ({ step }: { step: SecondStepTicket }): ReactNode => {
  const dispatch = useAppDispatch();
  const complete = useCompletion();
  return (
    <AuthLayout config={useConfig()} aside={<MarkedList />}>
      <Suspense fallback={null}>
        <SecondStep
          step={step}
          onCompleted={complete}
          onLeft={(reason) => dispatch(sessions.secondStepLeft('user', reason))}
        />
      </Suspense>
    </AuthLayout>
  );
};

const FirstStep = (): ReactNode => {
  const [query] = useSearchParams();
  const session = useSession('user');
  const dispatch = useAppDispatch();
  const complete = useCompletion();
  const email = query.get('email') ?? '';
  return (
    <AuthLayout config={useConfig()} aside={<MarkedList />}>
      <Head picture={query.get('picture')} />
      {session.expired && <Alert>{sessionText('ended')}</Alert>}
      {session.leavesAt !== null && (
        <Alert>{sessionText('leaves', { date: shortTime(session.leavesAt) })}</Alert>
      )}
      <LoginForm
        // Another sign-up starts with its own message.
        key={email}
        email={email}
        notice={isFromSignUp(query) && <Registered isPending={query.get('signUp') === 'pending'} />}
        error={session.errors.at(-1) ?? null}
        isBusy={session.busy}
        onDismiss={() => dispatch(sessions.errorsDismissed('user'))}
        onLogin={(input) => dispatch(sessions.loginRequested('user', input))}
      />
      <PasskeyLogIn role="user" onCompleted={complete} />
      <p className="auth-end">
        <Link to={paths.forgotPassword}>{sessionText('forgotPassword')}</Link>
      </p>
      <p className="auth-end">
        {sessionText('noAccount')} <Link to={paths.register}>{sessionText('signUp')}</Link>
      </p>
    </AuthLayout>
  );
};

const LoginPage = (): ReactNode => {
  usePageInfo({ pageName: 'login', pageTitle: sessionText('logIn'), pageDescription: '' });
  const { secondStep } = useSession('user');
  const { destination, isChecking } = useVisitor();
  if (destination !== null) return <Navigate to={destination} replace />;
  if (isChecking) return <CheckingSession />;
  return secondStep === null ? <FirstStep /> : <SecondStepOf step={secondStep} />;
};

export default LoginPage;
