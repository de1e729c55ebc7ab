import type { ConnectionRequest, DecidedRequest } from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { CONNECTION_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortTime } from '../../lib/dates.ts';
import { paths, sameOriginPath } from '../../lib/paths.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { connectText, scopeText } from '../../messages/connections.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { AuthHead } from '../../ui/page-frame.tsx';
import { Details } from '../../ui/panel.tsx';
import type { FoundRequest } from './connect-code.tsx';
import { ToolLogo } from '../../ui/tool-logo.tsx';
import { placeOfTool } from './connections.rules.ts';
import Check from 'lucide-react/icons/check';

type MarkProps = { title: string; note: string };

const Mark = ({ title, note }: MarkProps): ReactNode => (
  <li>
    <Check {...ICON} />
    <div>
      <p className="line-title">{title}</p>
      <p>{note}</p>
    </div>
  </li>
);

type RequestProps = { request: ConnectionRequest };

const Rights = ({ request: { scopes } }: RequestProps): ReactNode => (
  <ul className="consent-marks" aria-label={connectText('may')}>
    {scopes.map((scope) => (
      <Mark key={scope} title={scopeText(scope)} note={scopeText(`${scope} note`)} />
    ))}
    <Mark title={connectText('stay')} note={connectText('stayNote', { days: CONNECTION_DAYS })} />
  </ul>
);

/** From where a device asks. A request of this browser asks from here. */
const Facts = ({ request }: RequestProps): ReactNode => {
  const { code, place, requestedAt } = request;
  const where =
    code === null
      ? []
      : ([
          [connectText('device'), <bdi key="device">{placeOfTool(request) || connectText('unknown')}</bdi>],
          [connectText('place'), place || connectText('unknown')],
        ] as const);
  return <Details rows={[...where, [connectText('asked'), shortTime(requestedAt)]]} />;
};

const Head = ({ request: { name, logo, isVerified, code } }: RequestProps): ReactNode => (
  <AuthHead
    title={
      <>
        <ToolLogo logo={logo} />{' '}
        {connectText.rich<ReactNode>('title', { name: <bdi key="name">{name}</bdi> })}
      </>
    }
  >
    <p>
      <Badge tone={isVerified ? undefined : 'warn'}>
        {connectText(isVerified ? 'verified' : 'unverified')}
      </Badge>
    </p>
    {code !== null && (
      <p>
        {connectText.rich<ReactNode>('compare', {
          code: (
            <code key="code" className="consent-code">
              {code}
            </code>
          ),
        })}
      </p>
    )}
  </AuthHead>
);

/** Why nothing was connected. The address is confirmed on another page. */
const Refusal = ({ failure }: { failure: Failure }): ReactNode =>
  failure.code === 'identity.email_unverified' ? (
    <Alert tone="bad">
      {failure.message} <Link to={paths.emailCode}>{connectText('confirmEmail')}</Link>
    </Alert>
  ) : (
    <FailureAlert failure={failure} />
  );

export type Decision = 'connected' | 'denied';

type ConsentProps = FoundRequest & { onDecided: (decision: Decision) => void };

const useDecision = ({ reference, onDecided }: Pick<ConsentProps, 'reference' | 'onDecided'>) => {
  const token = useUserToken();
  const browser = useBrowser();
  return useCommand(async (decision: Decision): Promise<void> => {
    const endpoint =
      decision === 'connected' ? publicEndpoints.approveConnection : publicEndpoints.denyConnection;
    const { returnTo }: DecidedRequest = await call(endpoint, reference, { token });
    // The browser takes the decision to the app, by an address of ours.
    if (returnTo !== null) return browser.replace(sameOriginPath(returnTo, paths.connections));
    onDecided(decision);
    await revalidate(['connections']);
  });
};

/** What an app asks, in words, and the decision. */
export const Consent = ({ reference, request, onDecided }: ConsentProps): ReactNode => {
  const { isBusy, failure, run } = useDecision({ reference, onDecided });
  return (
    <>
      <Head request={request} />
      {failure !== null && <Refusal failure={failure} />}
      {!request.isVerified && <Alert tone="warn">{connectText('unverifiedText')}</Alert>}
      <Rights request={request} />
      <Facts request={request} />
      <p className="small muted consent-warning">
        {connectText(request.code === null ? 'warningOfLink' : 'warning')}
      </p>
      <div className="consent-end">
        <Button variant="primary" isBusy={isBusy} onClick={() => void run('connected')}>
          {connectText('connect')}
        </Button>
        <Button isBusy={isBusy} onClick={() => void run('denied')}>
          {connectText('deny')}
        </Button>
      </div>
    </>
  );
};
