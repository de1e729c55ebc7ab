import type { AlertView } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ALERT_NOTE_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { shortTime } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { May, useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { systemText } from '../../messages/system.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { useSystem } from './setup-panel.tsx';
import { openAlerts } from './system.rules.ts';

/** What has happened, and the amount where one is known. */
const alertTitle = ({ kind, amount, currency }: AlertView): string =>
  amount === null || currency === null
    ? systemText(kind)
    : systemText('alertWithAmount', { alert: systemText(kind), amount: money(amount, currency) });

/** The list is read again after a refusal too: another admin was faster. */
const useChange = (alert: AlertView, { onDone, onChanged }: { onDone: () => void; onChanged: Refresh }) => {
  const token = useAdminToken();
  const endpoint = publicEndpoints[alert.resolvedAt === null ? 'resolveAlert' : 'reopenAlert'];
  return useCommand(async (note: string): Promise<void> => {
    try {
      await call(endpoint, { alertId: alert.id, note }, { token });
    } catch (error) {
      void onChanged();
      throw error;
    }
    onDone();
    // The alert moves to the other end of the list.
    focusHeading();
    await onChanged();
  });
};

type Refresh = () => Promise<unknown>;
type EntryProps = { alert: AlertView; onChanged: Refresh };

const AlertDialog = ({ alert, onChanged, onClose }: EntryProps & { onClose: () => void }): ReactNode => {
  // What the dialog is about stays when another admin changes the alert meanwhile.
  const [opened] = useState(alert);
  const [note, setNote] = useState('');
  const { run, ...command } = useChange(opened, { onDone: onClose, onChanged });
  const action = opened.resolvedAt === null ? 'resolve' : 'reopen';
  const noteError = command.failure?.fields['note'];
  return (
    <ConfirmDialog
      title={systemText(`${action}This`, { alert: systemText(opened.kind) })}
      confirmLabel={systemText(action)}
      command={{ ...command, run: () => run(note.trim()) }}
      isFailureAtField={noteError !== undefined}
      onClose={onClose}
    >
      <p>{systemText(`${action}Text`)}</p>
      <TextField
        label={systemText('note')}
        help={systemText('noteHelp')}
        maxLength={ALERT_NOTE_MAX}
        data-autofocus
        value={note}
        error={noteError}
        onChange={(event) => setNote(event.target.value)}
      />
    </ConfirmDialog>
  );
};

const Change = (props: EntryProps): ReactNode => {
  const { alert } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const action = alert.resolvedAt === null ? 'resolve' : 'reopen';
  return (
    <>
      <Button
        isSmall
        variant={action === 'reopen' ? 'quiet' : 'plain'}
        aria-label={systemText(`${action}This`, { alert: systemText(alert.kind) })}
        onClick={() => setIsOpen(true)}
      >
        {systemText(action)}
      </Button>
      {isOpen && <AlertDialog {...props} onClose={close} />}
    </>
  );
};

const noteOf = ({ note, resolvedAt }: AlertView): string | null =>
  note !== null && resolvedAt === null ? systemText('reopened', { note }) : note;

const Source = ({ alert }: { alert: AlertView }): ReactNode => (
  <p className="small muted num">
    <time dateTime={alert.raisedAt}>{shortTime(alert.raisedAt)}</time>
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

const Entry = ({ alert, onChanged }: EntryProps): ReactNode => {
  const note = noteOf(alert);
  return (
    <li>
      <div>
        <strong>{alertTitle(alert)}</strong>
        {alert.detail !== null && <p>{alert.detail}</p>}
        {note !== null && <p>{note}</p>}
        <Source alert={alert} />
      </div>
      <div className="check-action">
        {alert.resolvedAt !== null && (
          <span className="check-state">{systemText('resolved', { time: shortTime(alert.resolvedAt) })}</span>
        )}
        <May permission="alerts.resolve">
          <Change alert={alert} onChanged={onChanged} />
        </May>
      </div>
    </li>
  );
};

type AlertsPanelProps = { alerts: AlertView[]; onChanged: Refresh };

/** The alerts, open ones first. */
export const AlertsPanel = ({ alerts, onChanged }: AlertsPanelProps): ReactNode => {
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
            <Entry key={alert.id} alert={alert} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </Panel>
  );
};

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
