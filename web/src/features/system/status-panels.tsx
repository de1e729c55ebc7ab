import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SystemView } from '@shortlist/contracts/api/billing';
import type { MailCounts, ProcessName, SystemStatus, WorkStatus } from '@shortlist/contracts/api/system';
import { minutes } from '@shortlist/contracts/durations';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import type { ReactNode } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { now, shortTime, tableTime } from '../../lib/dates.ts';
import { statusText } from '../../messages/system-status.ts';
import { Alert } from '../../ui/alert.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/query-view.tsx';
import { durationText, errorShare, LastDay } from './last-day.tsx';
import {
  dependenciesOf,
  dependencyTitle,
  downOf,
  nameOf,
  problemsOf,
  processName,
  waitingRows,
  waitText,
} from './status-problems.ts';
import { hasUnknownChecks, setupProblemsOf } from './system.rules.ts';

const REFRESH_MS = minutes(1);

export const useSystemStatus = () =>
  useQuery('system', publicEndpoints.systemStatus, {}, { refreshInterval: REFRESH_MS });

type StatusProps = { status: SystemStatus };

type SummaryProps = { system: SystemView | undefined; status: SystemStatus | undefined };

/** Everything that needs attention, in words. What could not be loaded does, too. */
export const Summary = ({ system, status }: SummaryProps): ReactNode => {
  const problems = [
    ...(system === undefined ? [statusText('setupUnloaded')] : setupProblemsOf(system, now())),
    ...(status === undefined ? [statusText('statusUnloaded')] : problemsOf(status, now())),
  ];
  if (problems.length === 0) {
    const isPartlyUnknown = system !== undefined && hasUnknownChecks(system, now());
    return (
      <Alert tone={isPartlyUnknown ? 'plain' : 'good'}>
        <p>{statusText(isPartlyUnknown ? 'settingsUnknown' : 'allRunning')}</p>
      </Alert>
    );
  }
  return (
    <Alert tone="warn">
      <p>{statusText('problems', { count: problems.length })}</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Alert>
  );
};

type Process = SystemStatus['processes'][number];
type ProcessProps = { process: Process };
type RowProps = ProcessProps & { checkedAt: string };

const sinceText = ({ seenAt }: Process): string =>
  seenAt === null ? statusText('neverSeen') : statusText('since', { time: shortTime(seenAt) });

const Running = (): ReactNode => (
  <span className="check-state is-good">
    <CircleCheck {...ICON} />
    {statusText('running')}
  </span>
);

const ProcessState = ({ process }: ProcessProps): ReactNode => {
  if (process.status === null)
    return (
      <>
        <span className="check-state is-bad">
          <CircleHelp {...ICON} />
          {statusText('notResponding')}
        </span>
        <small className="data-table-note">{sinceText(process)}</small>
      </>
    );
  const down = downOf(process);
  if (down.length === 0) return <Running />;
  return (
    <span className="check-state is-bad">
      <CircleAlert {...ICON} />
      {statusText('notReady', { dependencies: down.map(nameOf).join(', ') })}
    </span>
  );
};

const ProcessRow = ({ process, checkedAt }: RowProps): ReactNode => {
  const { name, status, requests } = process;
  return (
    <tr>
      <td className="data-table-name">
        {processName(name)}
        <small className="data-table-note">{statusText(`${name}About`)}</small>
      </td>
      <td data-label={statusText('lastDay')}>
        <LastDay requests={requests} checkedAt={checkedAt} />
      </td>
      <td data-label={statusText('now')}>
        <ProcessState process={process} />
      </td>
      <td data-label={statusText('p95')} className="num">
        {durationText(requests?.p95 ?? null)}
      </td>
      <td data-label={statusText('errorRate')} className="num">
        {requests === null ? statusText('none') : errorShare(requests)}
      </td>
      <td data-label={statusText('version')} className="num">
        {status?.version ?? statusText('none')}
        {status !== null && status.migration !== null && (
          <small className="data-table-note">{statusText('migration', { name: status.migration })}</small>
        )}
      </td>
    </tr>
  );
};

type TableProps = { label: string; heads: readonly string[]; children: ReactNode };

const Table = ({ label, heads, children }: TableProps): ReactNode => (
  <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
    <table className="data-table is-stacked">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

const rank = (process: Process): number => {
  if (process.status === null) return 0;
  return downOf(process).length > 0 ? 1 : 2;
};

const PROCESS_HEADS = ['service', 'lastDay', 'now', 'p95', 'errorRate', 'version'] as const;

/** Every process, those with a problem first. */
export const ProcessesPanel = ({ status: { processes, checkedAt } }: StatusProps): ReactNode => (
  <Panel title={statusText('services')} note={statusText('servicesNote')} isBare>
    <Table label={statusText('services')} heads={PROCESS_HEADS.map((head) => statusText(head))}>
      {processes
        .toSorted((one, other) => rank(one) - rank(other))
        .map((process) => (
          <ProcessRow key={process.name} process={process} checkedAt={checkedAt} />
        ))}
    </Table>
  </Panel>
);

const DependencyState = ({ cutOff }: { cutOff: readonly ProcessName[] }): ReactNode =>
  cutOff.length === 0 ? (
    <Running />
  ) : (
    <span className="check-state is-bad">
      <CircleAlert {...ICON} />
      {statusText('cutOff', { processes: cutOff.map(processName).join(', ') })}
    </span>
  );

/** What the services depend on, each as those that use it reach it. */
export const DependenciesPanel = ({ status }: StatusProps): ReactNode => {
  const dependencies = dependenciesOf(status);
  return (
    <Panel title={statusText('dependencies')} note={statusText('dependenciesNote')} isBare>
      {dependencies.length === 0 ? (
        <EmptyState>{statusText('nothingKnown')}</EmptyState>
      ) : (
        <ul className="check-list">
          {dependencies.map(({ name, details, users, cutOff }) => (
            <li key={name}>
              <div>
                <strong>{dependencyTitle(name)}</strong>
                {details.map((server) => (
                  <p key={server} className="small">
                    {server}
                  </p>
                ))}
                <p className="small muted">{users.map(processName).join(', ')}</p>
              </div>
              <DependencyState cutOff={cutOff} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
};

/** What waits, the most first. */
export const QueuesPanel = ({ status }: StatusProps): ReactNode => {
  const rows = waitingRows(status).toSorted((one, other) => other.waiting - one.waiting);
  const heads = [
    statusText('name'),
    statusText('waiting'),
    statusText('oldest'),
    statusText('failedJobs'),
  ] as const;
  return (
    <Panel title={statusText('queues')} note={statusText('queuesNote')} isBare>
      {rows.length === 0 ? (
        <EmptyState>{statusText('nothingKnown')}</EmptyState>
      ) : (
        <Table label={statusText('queues')} heads={heads}>
          {rows.map(({ name, waiting, oldestSeconds, failed }) => (
            <tr key={name}>
              <td className="data-table-name">{name}</td>
              <td data-label={heads[1]} className="num">
                {waiting}
              </td>
              <td data-label={heads[2]} className="num">
                {waiting === 0 || oldestSeconds === null ? statusText('none') : waitText(oldestSeconds)}
              </td>
              <td data-label={heads[3]} className="num">
                {failed ?? statusText('none')}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
};

/** A template's name as words: credits_low is "Credits low". */
const templateName = (template: string): string => {
  const words = template.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const MailRow = ({ mail }: { mail: MailCounts }): ReactNode => (
  <tr>
    <td className="data-table-name">{templateName(mail.template)}</td>
    <td data-label={statusText('sent')} className="num">
      {mail.sent}
    </td>
    <td data-label={statusText('waiting')} className="num">
      {mail.waiting}
    </td>
    <td data-label={statusText('notDelivered')} className="num">
      {mail.notDelivered}
    </td>
    <td data-label={statusText('last')} className="num">
      {mail.lastAt === null ? statusText('none') : tableTime(mail.lastAt)}
    </td>
  </tr>
);

const MAIL_HEADS = ['template', 'sent', 'waiting', 'notDelivered', 'last'] as const;

const Mails = ({ work }: Pick<SystemStatus, 'work'>): ReactNode => {
  if (work === null) return <EmptyState>{statusText('workUnknown')}</EmptyState>;
  if (work.mails.length === 0) return <EmptyState>{statusText('noMails')}</EmptyState>;
  return (
    <Table label={statusText('mails')} heads={MAIL_HEADS.map((head) => statusText(head))}>
      {work.mails.map((mail) => (
        <MailRow key={mail.template} mail={mail} />
      ))}
    </Table>
  );
};

/** The emails of the last day, by their template. */
export const MailsPanel = ({ status: { work } }: StatusProps): ReactNode => (
  <Panel title={statusText('mails')} note={statusText('mailsNote')} isBare>
    <Mails work={work} />
  </Panel>
);

const timeOr = (time: string | null): string => (time === null ? statusText('never') : shortTime(time));

const stripeRows = (stripe: SystemStatus['stripe']): (readonly [string, string])[] => {
  const unknown = statusText('unknown');
  if (stripe === null)
    return [
      [statusText('reconciled'), unknown],
      [statusText('repaired'), unknown],
      [statusText('calls'), unknown],
    ];
  const { last, lastRepair } = stripe.reconciliation;
  const compared =
    last === null
      ? statusText('never')
      : statusText('reconciledLast', { time: shortTime(last.endedAt), checked: last.checked });
  const repaired =
    lastRepair === null
      ? statusText('neverRepaired')
      : statusText('repairedLast', { ...lastRepair, time: shortTime(lastRepair.endedAt) });
  return [
    [statusText('reconciled'), compared],
    [statusText('repaired'), repaired],
    [statusText('calls'), statusText('callsNow', stripe.calls)],
  ];
};

/** As in "Dec 1, 03:30: 2 of 36 checks failed, all last passed on Nov 30, 03:30". */
const recordsText = (verification: WorkStatus['verification']): string => {
  if (!verification) return statusText('never');
  const { endedAt, checked, unchecked, breached, heldAt } = verification;
  const time = shortTime(endedAt);
  const last =
    heldAt === null
      ? statusText('recordsNeverHeld')
      : statusText('recordsHeldAt', { time: shortTime(heldAt) });
  return [
    ...(breached.length === 0
      ? [statusText('recordsHeld', { time, checked })]
      : [statusText('recordsBreached', { time, breached: breached.length, checked }), last]),
    ...(unchecked === 0 ? [] : [statusText('recordsUnchecked', { count: unchecked })]),
  ].join(', ');
};

/** The last comparison with Stripe and what it repaired, the budget of calls, the last check of the records, and the backups. */
export const ChecksPanel = ({ status: { stripe, work } }: StatusProps): ReactNode => (
  <Panel title={statusText('checks')}>
    <Details
      rows={[
        ...stripeRows(stripe),
        [statusText('records'), work === null ? statusText('unknown') : recordsText(work.verification)],
        [statusText('backup'), work === null ? statusText('unknown') : timeOr(work.backups.newest)],
        [statusText('verifiedBackup'), work === null ? statusText('unknown') : timeOr(work.backups.verified)],
      ]}
    />
  </Panel>
);
