import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { shortTime } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { systemText } from '../../messages/system.ts';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { alertTitle } from './alerts-panel.tsx';
import { useSystem } from './setup-panel.tsx';
import { openAlerts } from './system.rules.ts';

const SHOWN = 5;

/** The newest open alerts, each with a link to its user. */
export const OpenAlerts = (): ReactNode => (
  <Panel
    title={systemText('openTitle')}
    isBare
    end={
      <Link className="small is-inline-link" to={paths.adminSystem}>
        {systemText('toSystem')}
      </Link>
    }
  >
    <QueryView
      query={useSystem()}
      skeleton={
        <Skeleton label={systemText('loading')}>
          <SkeletonPanel lines={2} />
        </Skeleton>
      }
      errorTitle={systemText('failed')}
    >
      {({ alerts }) =>
        openAlerts(alerts).length === 0 ? (
          <EmptyState>{systemText('noOpenAlerts')}</EmptyState>
        ) : (
          <ul className="lines">
            {openAlerts(alerts)
              .slice(0, SHOWN)
              .map((alert) => (
                <li key={alert.id}>
                  <div className="line-text">
                    <p className="line-title">{alertTitle(alert)}</p>
                    <p className="line-note">{shortTime(alert.raisedAt)}</p>
                  </div>
                  {alert.userId !== null && alert.kind !== 'payment_of_deleted_user' && (
                    <Link to={paths.viewUser(alert.userId)}>{systemText('viewUser')}</Link>
                  )}
                </li>
              ))}
          </ul>
        )
      }
    </QueryView>
  </Panel>
);
