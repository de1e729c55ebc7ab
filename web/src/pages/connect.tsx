import type { RequestReference } from '@shortlist/contracts/api/connected-apps';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { CodeForm, type FoundRequest, RequestOfLink } from '../features/connections/connect-code.tsx';
import { Consent, type Decision } from '../features/connections/consent.tsx';
import { shownCode } from '../features/connections/connections.rules.ts';
import { RedirectToLogin } from '../features/session/redirect-to-login.tsx';
import { useConfig } from '../lib/data/use-config.ts';
import { paths } from '../lib/paths.ts';
import { useAppDispatch, useAppSelector, usePageInfo, useSession } from '../lib/state/hooks.tsx';
import { sessions } from '../lib/state/sessions.ts';
import { connectText } from '../messages/connections.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Email } from '../ui/inline.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';
import { Skeleton, SkeletonPanel } from '../ui/states.tsx';

const Problem = (): ReactNode => (
  <>
    <AuthHead title={connectText('problem')}>
      <p>{connectText('problemText')}</p>
    </AuthHead>
    <ButtonLink to={paths.connections}>{connectText('seeConnections')}</ButtonLink>
  </>
);

const Connected = ({ name }: { name: string }): ReactNode => (
  <>
    <AuthHead title={connectText('connected', { name })} isDone>
      <p>{connectText('connectedText')}</p>
    </AuthHead>
    <ButtonLink to={paths.connections}>{connectText('seeConnections')}</ButtonLink>
  </>
);

const Denied = (): ReactNode => (
  <>
    <AuthHead title={connectText('denied')} role="status">
      <p>{connectText('deniedText')}</p>
    </AuthHead>
    <ButtonLink variant="primary" to={paths.security}>
      {connectText('openSecurity')}
    </ButtonLink>
  </>
);

/** What the address asks about: a request of this browser, or a code that an app has put into its link. */
const useReference = (): RequestReference | null => {
  const [query] = useSearchParams();
  const uid = query.get('request');
  const code = query.get('user_code');
  return useMemo(() => {
    if (uid) return { source: 'browser', request: uid };
    return code ? { source: 'device', request: shownCode(code) } : null;
  }, [uid, code]);
};

/** From the code or the link to the decision. */
const Request = ({ linked }: { linked: RequestReference | null }): ReactNode => {
  const [isLinked, setIsLinked] = useState(linked !== null);
  const [found, setFound] = useState<FoundRequest | null>(null);
  const [decision, setDecision] = useState<Decision | null>(null);
  if (decision === 'denied') return <Denied />;
  if (decision === 'connected') return <Connected name={found?.request.name ?? ''} />;
  if (found !== null) return <Consent {...found} onDecided={setDecision} />;
  if (linked !== null && isLinked)
    return <RequestOfLink reference={linked} onFound={setFound} onLeft={() => setIsLinked(false)} />;
  return <CodeForm onFound={setFound} />;
};

/** Whose account an app is connected to, and the ways out: back, or to another account. */
const SignedInAs = (): ReactNode => {
  const dispatch = useAppDispatch();
  const email = useAppSelector((state) => state.sessions.user.user?.email ?? '');
  return (
    <div className="connect-account small">
      <p className="muted">
        {connectText.rich<ReactNode>('signedInAs', { email: <Email key="email">{email}</Email> })}
      </p>
      <p>
        <Link to={paths.connections}>{connectText('back')}</Link>
        <button
          type="button"
          className="link-button"
          onClick={() => dispatch(sessions.logoutRequested('user'))}
        >
          {connectText('logOut')}
        </button>
      </p>
    </div>
  );
};

/**
 * Requires the session of a user. The page is not remembered as the last one: its question is answered once. It has no shell, which the
 * other pages with a session have from the router.
 */
const WithSession = ({ children }: { children: ReactNode }): ReactNode => {
  const { isLoggedIn, phase } = useSession('user');
  if (isLoggedIn)
    return (
      <>
        <SignedInAs />
        {children}
      </>
    );
  if (phase === 'settled') return <RedirectToLogin />;
  return (
    <Skeleton label={connectText('loading')}>
      <SkeletonPanel />
    </Skeleton>
  );
};

const ConnectPage = (): ReactNode => {
  usePageInfo({ pageName: 'connect', pageTitle: connectText('enterTitle'), pageDescription: '' });
  const [query] = useSearchParams();
  const linked = useReference();
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      <div className="connect-page">
        <WithSession>
          {query.has('problem') ? <Problem /> : <Request key={linked?.request} linked={linked} />}
        </WithSession>
      </div>
    </AuthLayout>
  );
};

export default ConnectPage;
