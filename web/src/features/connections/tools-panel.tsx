import type { Connection } from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { shortDay, now, utcDay, utcToday } from '../../lib/dates.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useConnections } from '../../lib/data/use-tools.ts';
import { paths } from '../../lib/paths.ts';
import { sentences } from '../../lib/sentences.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { connectionsText } from '../../messages/connections.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { connectedTools, phraseOf, placeOfTool } from './connections.rules.ts';
import { ToolLogo } from '../../ui/tool-logo.tsx';
import Puzzle from 'lucide-react/icons/puzzle';

/** When an app was used last, and from which network, where that is known. */
const lastUseText = ({ day, network }: { day: string; network: string }): string => {
  const isToday = day === utcToday();
  if (network === '')
    return isToday ? connectionsText('usedTodayOnly') : connectionsText('usedOnOnly', { day: utcDay(day) });
  return isToday
    ? connectionsText('usedToday', { network })
    : connectionsText('usedOn', { day: utcDay(day), network });
};

const lastUseOf = ({ lastUsed, createdAt }: Connection): string =>
  lastUsed === null ? connectionsText('connectedOn', { day: shortDay(createdAt) }) : lastUseText(lastUsed);

/** Where it runs, what it may do, and when it was used last. */
const noteOf = (tool: Connection): string =>
  sentences([placeOfTool(tool), phraseOf(tool.scopes), lastUseOf(tool)]);

type ToolLineProps = { tool: Connection; isBusy: boolean; onDisconnect: (tool: Connection) => void };

const ToolLine = ({ tool, isBusy, onDisconnect }: ToolLineProps): ReactNode => {
  const { name, logo, isVerified } = tool;
  return (
    <Line
      icon={<ToolLogo logo={logo} />}
      title={
        <>
          <bdi>{name}</bdi> {!isVerified && <Badge tone="warn">{connectionsText('unverified')}</Badge>}
        </>
      }
      note={<bdi>{noteOf(tool)}</bdi>}
    >
      <Button
        variant="quiet"
        isBusy={isBusy}
        aria-label={connectionsText('disconnectTool', { name })}
        onClick={() => onDisconnect(tool)}
      >
        {connectionsText('disconnect')}
      </Button>
    </Line>
  );
};

/** One press is enough: an app that was disconnected by mistake is connected again in the app. */
const useDisconnection = () => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async ({ id, name }: Connection): Promise<void> => {
    await call(publicEndpoints.endConnection, { connectionId: id }, { token });
    await revalidate(['connections']);
    dispatch(toasts.added(connectionsText('disconnected', { name })));
  });
};

const NoTools = (): ReactNode => (
  <EmptyState icon={<Puzzle {...ICON} />} title={connectionsText('noTools')}>
    {connectionsText('noToolsText')}
  </EmptyState>
);

const Tools = ({ tools }: { tools: Connection[] }): ReactNode => {
  const { isBusy, failure, run } = useDisconnection();
  if (tools.length === 0) return <NoTools />;
  return (
    <>
      {failure !== null && <FailureAlert failure={failure} />}
      <Lines>
        {tools.map((tool) => (
          <ToolLine key={tool.id} tool={tool} isBusy={isBusy} onDisconnect={(ended) => void run(ended)} />
        ))}
      </Lines>
    </>
  );
};

const ToolsSkeleton = (): ReactNode => (
  <Skeleton label={connectionsText('toolsLoading')}>
    <Lines>
      <Line
        icon={<Puzzle {...ICON} />}
        title={<Bar width="30%" height="1.5rem" />}
        note={<Bar width="70%" height="1.25rem" />}
      />
    </Lines>
  </Skeleton>
);

/** The apps that the user has connected. */
export const ToolsPanel = (): ReactNode => {
  const query = useConnections();
  return (
    <Panel
      title={connectionsText('tools')}
      note={connectionsText('toolsNote')}
      end={<ButtonLink to={paths.connect}>{connectionsText('enterCode')}</ButtonLink>}
      isBare
    >
      <QueryView query={query} skeleton={<ToolsSkeleton />} errorTitle={connectionsText('toolsFailed')}>
        {(connections) => <Tools tools={connectedTools(connections, now())} />}
      </QueryView>
    </Panel>
  );
};
