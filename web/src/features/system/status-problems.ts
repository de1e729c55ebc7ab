/**
 * What the state of the services says in words: what does not respond, what cannot be reached, what waits for too long, what has failed. What is
 * not known is a problem too, so that "nothing has failed" always means that everything was asked and has responded.
 */
import type { ServerDetails } from '@shortlist/contracts/api/status';
import type { ProcessName, QueueStatus, SystemStatus, WorkStatus } from '@shortlist/contracts/api/system';
import { days, hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { shortTime } from '../../lib/dates.ts';
import { statusText } from '../../messages/system-status.ts';

type Process = SystemStatus['processes'][number];

/** Ten times the interval at which the screen checks. */
const CURRENT_MS = minutes(10);

/** Returns the state; in an outdated one nothing is known but when each process last responded. */
export const currentStatus = (status: SystemStatus, now: number): SystemStatus => {
  if (now - Date.parse(status.checkedAt) < CURRENT_MS) return status;
  const processes = status.processes.map((process) => ({ ...process, status: null }));
  return { ...status, processes, stripe: null, work: null };
};

const TEXTS = statusText.entries;

const isKnown = (name: string): name is keyof typeof TEXTS => Object.hasOwn(TEXTS, name);

/** The name of a process, a queue or a dependency; one of another release keeps its own. */
export const nameOf = (name: string): string => (isKnown(name) ? TEXTS[name] : name);

/** The name of a dependency as a title; one of another release keeps its own. */
export const dependencyTitle = (name: string): string => {
  const key = `${name}Title`;
  return isKnown(key) ? TEXTS[key] : name;
};

export const processName = (name: ProcessName): string => statusText(name);

/** A wait in its largest unit: 40 seconds, 4 minutes. */
export const waitText = (seconds: number): string => {
  const unit = (length: number) => ({ count: Math.floor(seconds / inSeconds(length)) });
  if (seconds < inSeconds(minutes(1))) return statusText('seconds', { count: seconds });
  if (seconds < inSeconds(hours(1))) return statusText('minutes', unit(minutes(1)));
  if (seconds < inSeconds(days(1))) return statusText('hours', unit(hours(1)));
  return statusText('days', unit(days(1)));
};

/** Longer than anything waits while all is well. */
const LONG_SECONDS = inSeconds(minutes(5));
/** Reconciliation runs every thirty seconds. */
const RECONCILED_MS = minutes(10);
/** As many events wait for a moment at most while a consumer runs. */
const LAG_MAX = 100;
/** A mail may wait for the provider's next try. */
const LONG_MAIL_SECONDS = inSeconds(minutes(15));
/** A backup is made each night, and restored for a trial in the following one. */
const BACKUP_MS = hours(26);
const VERIFIED_BACKUP_MS = hours(50);
/** `shortlist verify` runs each night. */
const VERIFIED_MS = hours(26);

const isOlder = (time: string, ageMs: number, now: number): boolean => now - Date.parse(time) > ageMs;

export const downOf = ({ status }: Process): string[] =>
  (status?.dependencies ?? []).filter(({ isUp }) => !isUp).map(({ name }) => name);

const processProblems = (process: Process): string[] => {
  const name = processName(process.name);
  const { status, seenAt } = process;
  if (status === null)
    return [
      seenAt === null
        ? statusText('silent', { process: name })
        : statusText('silentSince', { process: name, time: shortTime(seenAt) }),
    ];
  const { outbox, consumption } = status;
  const failed = (consumption?.deadLetters ?? 0) + (consumption?.unreadable ?? 0);
  const behind = (consumption?.lag ?? []).reduce((sum, { waiting }) => sum + waiting, 0);
  return [
    ...downOf(process).map((one) => statusText('unreachable', { process: name, dependency: nameOf(one) })),
    ...(consumption?.deadLetters === null ? [statusText('uncounted', { process: name })] : []),
    ...(failed > 0 ? [statusText('deadLetters', { process: name, count: failed })] : []),
    ...(behind > LAG_MAX ? [statusText('behind', { process: name, count: behind })] : []),
    ...(outbox !== null && outbox.oldestSeconds > LONG_SECONDS
      ? [
          statusText('unpublished', {
            process: name,
            count: outbox.waiting,
            wait: waitText(outbox.oldestSeconds),
          }),
        ]
      : []),
  ];
};

const stripeProblems = (stripe: SystemStatus['stripe'], now: number): string[] => {
  if (stripe === null) return [statusText('paymentsUnknown')];
  const { events, reconciliation } = stripe;
  const { last } = reconciliation;
  const isLate = last !== null && isOlder(last.endedAt, RECONCILED_MS, now);
  return [
    ...(events.failed > 0 ? [statusText('webhooksFailed', { count: events.failed })] : []),
    ...(events.oldestSeconds > LONG_SECONDS
      ? [statusText('webhooksWait', { wait: waitText(events.oldestSeconds) })]
      : []),
    ...(last === null ? [statusText('notReconciled')] : []),
    ...(isLate ? [statusText('notReconciledSince', { time: shortTime(last.endedAt) })] : []),
  ];
};

const queueProblems = ({ name, failed, oldestSeconds }: QueueStatus): string[] => [
  ...(oldestSeconds > LONG_SECONDS
    ? [statusText('queueWaits', { queue: nameOf(name), wait: waitText(oldestSeconds) })]
    : []),
  ...(failed > 0 ? [statusText('jobsFailed', { queue: nameOf(name), count: failed })] : []),
];

const backupProblems = ({ newest, verified }: WorkStatus['backups'], now: number): string[] => {
  if (newest === null) return [statusText('noBackup')];
  return [
    ...(isOlder(newest, BACKUP_MS, now) ? [statusText('backupOld', { time: shortTime(newest) })] : []),
    ...(verified === null ? [statusText('noVerifiedBackup')] : []),
    ...(verified !== null && isOlder(verified, VERIFIED_BACKUP_MS, now)
      ? [statusText('verifiedBackupOld', { time: shortTime(verified) })]
      : []),
  ];
};

const verificationProblems = (verification: WorkStatus['verification'], now: number): string[] => {
  if (!verification) return [statusText('notVerified')];
  const { endedAt, breached } = verification;
  return [
    ...breached.map(({ breaches: count, ...check }) => statusText('breached', { ...check, count })),
    ...(isOlder(endedAt, VERIFIED_MS, now)
      ? [statusText('notVerifiedSince', { time: shortTime(endedAt) })]
      : []),
  ];
};

const workProblems = (work: WorkStatus | null, now: number): string[] => {
  if (work === null) return [statusText('workUnknown')];
  const { queues, unsent, backups, verification } = work;
  return [
    ...(queues === null ? [statusText('queuesUnknown')] : queues.flatMap(queueProblems)),
    ...(unsent.oldestSeconds > LONG_MAIL_SECONDS
      ? [statusText('mailsWait', { count: unsent.waiting, wait: waitText(unsent.oldestSeconds) })]
      : []),
    ...backupProblems(backups, now),
    ...verificationProblems(verification, now),
  ];
};

/** `details`: a text for each server, of which services may have one each. */
type Dependency = { name: string; details: string[]; users: ProcessName[]; cutOff: ProcessName[] };

const MEGABYTE = 2 ** 20;

const loadText = (name: string, used: number, limit: number | null): string => {
  if (name === 'kafka') return statusText('brokers', { count: used });
  if (name === 'database') return statusText('connections', { used, limit: limit ?? used });
  const megabytes = Math.ceil(used / MEGABYTE);
  return limit === null
    ? statusText('memory', { used: megabytes })
    : statusText('memoryOf', { used: megabytes, limit: Math.ceil(limit / MEGABYTE) });
};

/** As in "MariaDB 10.11.14, 61 of 200 connections". */
const detailsText = (name: string, { server, used, limit }: ServerDetails): string =>
  [server, used === null ? null : loadText(name, used, limit)].filter((part) => part !== null).join(', ');

/** The servers of a dependency. Of one server, services that read it a moment apart see other figures: the first counts. */
const detailsOf = (
  uses: readonly { name: string; details?: ServerDetails | null | undefined }[],
): string[] => {
  const known = uses.flatMap(({ name, details }) => (details ? [{ name, details }] : []));
  const servers = Map.groupBy(known, ({ details: { server, limit } }) => `${server} ${limit}`);
  return [...servers.values()].flatMap(([first]) => (first ? [detailsText(first.name, first.details)] : []));
};

/** What the processes that responded depend on. `cutOff`: those of its users that cannot reach it. */
export const dependenciesOf = ({ processes }: SystemStatus): Dependency[] => {
  const uses = processes.flatMap(({ name: process, status }) =>
    (status?.dependencies ?? []).map((dependency) => ({ ...dependency, process })),
  );
  return [...Map.groupBy(uses, ({ name }) => name)].map(([name, ofName]) => ({
    name,
    details: detailsOf(ofName),
    users: ofName.map(({ process }) => process),
    cutOff: ofName.filter(({ isUp }) => !isUp).map(({ process }) => process),
  }));
};

/** Everything that needs attention, one sentence each. Empty if all is known and well. */
export const problemsOf = ({ processes, stripe, work }: SystemStatus, now: number): string[] => [
  ...processes.flatMap(processProblems),
  ...stripeProblems(stripe, now),
  ...workProblems(work, now),
];

type WaitingRow = {
  name: string;
  waiting: number;
  oldestSeconds: number | null;
  failed: number | null;
};

/** What waits: the jobs of each queue, the outbox of each service, and what each consumer has still to handle. */
export const waitingRows = ({ processes, work }: SystemStatus): WaitingRow[] => [
  ...(work?.queues ?? []).map(({ name, waiting, oldestSeconds, failed }) => ({
    name: nameOf(name),
    waiting,
    oldestSeconds,
    failed,
  })),
  ...processes.flatMap(({ name, status }) => {
    const { outbox, consumption } = status ?? { outbox: null, consumption: null };
    const process = processName(name);
    return [
      ...(outbox === null ? [] : [{ ...outbox, name: statusText('outbox', { process }), failed: null }]),
      ...(consumption?.lag ?? []).map(({ topic, waiting }) => ({
        name: statusText('consumer', { process, topic }),
        waiting,
        oldestSeconds: null,
        failed: null,
      })),
    ];
  }),
];
