import type { AlertView } from '@shortlist/contracts/api/admin-views';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { longDate } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { May, useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { systemText } from '../../messages/system.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';

const sumOf = ({ amount, currency }: AlertView): string | null =>
  amount === null || currency === null ? null : money(amount, currency);

const useResolve = (alertId: string, onResolved: () => Promise<unknown>) => {
  const token = useAdminToken();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.resolveAlert, { alertId }, { token });
    // The alert moves to the end of the list.
    focusHeading();
    await onResolved();
  });
};

type EntryProps = { alert: AlertView; onResolved: () => Promise<unknown> };

const Resolve = ({ alert, onResolved }: EntryProps): ReactNode => {
  const { isBusy, failure, run } = useResolve(alert.id, onResolved);
  return (
    <div className="check-action">
      <Button
        isSmall
        isBusy={isBusy}
        aria-label={systemText('resolveThis', { alert: systemText(alert.kind) })}
        onClick={() => void run()}
      >
        {systemText('resolve')}
      </Button>
      {failure && <Alert tone="bad">{failure.message}</Alert>}
    </div>
  );
};

const Source = ({ alert }: { alert: AlertView }): ReactNode => (
  <p className="small muted num">
    <time dateTime={alert.raisedAt}>{longDate(alert.raisedAt)}</time>
    {' · '}
    <bdi className="check-list-identifier">{alert.objectId}</bdi>
    {alert.userId !== null && alert.kind !== 'payment_of_deleted_user' && (
      <>
        {' · '}
        <Link to={paths.viewUser(alert.userId)}>{systemText('viewUser')}</Link>
      </>
    )}
  </p>
);

const Entry = ({ alert, onResolved }: EntryProps): ReactNode => {
  const sum = sumOf(alert);
  const label = systemText(alert.kind);
  return (
    <li>
      <div>
        <strong>{sum === null ? label : systemText('alertWithAmount', { alert: label, amount: sum })}</strong>
        {alert.detail !== null && <p>{alert.detail}</p>}
        <Source alert={alert} />
      </div>
      {alert.resolvedAt === null ? (
        <May permission="alerts.resolve">
          <Resolve alert={alert} onResolved={onResolved} />
        </May>
      ) : (
        <span className="check-state">{systemText('resolved', { time: longDate(alert.resolvedAt) })}</span>
      )}
    </li>
  );
};

type AlertsPanelProps = { alerts: AlertView[]; onResolved: () => Promise<unknown> };

/** The alerts, open ones first. */
export const AlertsPanel = ({ alerts, onResolved }: AlertsPanelProps): ReactNode => {
  const sorted = alerts.toSorted(
    (one, other) => Number(one.resolvedAt !== null) - Number(other.resolvedAt !== null),
  );
  return (
    <Panel title={systemText('alerts')} isBare>
      {sorted.length === 0 ? (
        <EmptyState>{systemText('noAlerts')}</EmptyState>
      ) : (
        <ul className="check-list">
          {sorted.map((alert) => (
            <Entry key={alert.id} alert={alert} onResolved={onResolved} />
          ))}
        </ul>
      )}
    </Panel>
  );
};
