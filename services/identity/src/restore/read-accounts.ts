// What identity's own topic says of each account after its database was set back.
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { Factor } from '@shortlist/contracts/api/factors';
import { inSeconds } from '@shortlist/contracts/durations';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import * as identity from '@shortlist/contracts/events/identity';
import type { Db } from '@shortlist/kit/data/db';
import { listDeletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { type EventHandler, on } from '@shortlist/kit/messaging/handle-batch';
import { readEvents, readLostEvents } from '@shortlist/kit/messaging/read-events';
import type { DeletionRow } from '../accounts/deletion-queries.ts';

export type Access = { role: AdminRole | null; version: number };

/** What others know of one account, as the topic; undefined where it has no such event. */
export type Known = {
  registered?: Pick<identity.UserRegistered, 'email' | 'createdAt'>;
  isDeleted: boolean;
  email?: Pick<identity.EmailChanged, 'email' | 'version'>;
  /** The highest generation that began, or the second in which its factors changed, if that was lost. */
  generation: number;
  access?: Access;
  revokedKeys: string[];
  // What follows has no version, so only events that were lost count.
  removedFactors: Set<Factor | 'recovery_codes'>;
  verifiedAt?: Date;
  endedConnections: identity.ConnectionEnded[];
  stoppedWebhooks: string[];
  /** Null after the last one was cancelled. */
  deletion?: DeletionRow | null;
};

export const nothingKnown = (): Known => ({
  ...{ isDeleted: false, generation: 0, removedFactors: new Set() },
  ...{ revokedKeys: [], endedConnections: [], stoppedWebhooks: [] },
});

type Parts = { db: Db; bus: Bus; since: Date };
type Note = <Data>(
  type: EventType<Data>,
  change: (known: Known, event: CloudEvent<Data>) => unknown,
) => EventHandler;

const ACCOUNT_RIGHT = /^account:/;

/** A later state has a higher version, whether or not the database knows it. */
const withVersions = (note: Note): EventHandler[] => [
  note(identity.userRegistered, (known, { data }) => (known.registered = data)),
  note(identity.userDeleted, (known) => (known.isDeleted = true)),
  note(identity.emailChanged, (known, { data }) => {
    if (data.version > (known.email?.version ?? 0)) known.email = data;
  }),
  note(identity.accessEnded, (known, { data: { id, version } }) => {
    if (ACCOUNT_RIGHT.test(id)) known.generation = Math.max(known.generation, version);
  }),
  note(identity.adminAccessChanged, (known, { data }) => {
    if (data.version > (known.access?.version ?? 0)) known.access = data;
  }),
  note(identity.apiKeyRevoked, (known, { data }) => known.revokedKeys.push(data.keyId)),
];

/** Who has lost a factor since needs a new password, as has who had removed one, for perhaps another person has it. */
const changeFactors = (known: Known, time: string, removed?: Factor | 'recovery_codes'): void => {
  if (removed !== undefined) known.removedFactors.add(removed);
  known.generation = Math.max(known.generation, inSeconds(Date.parse(time)));
};

const deletionOf = ({ subject, time, data }: CloudEvent<identity.DeletionRequested>): DeletionRow => ({
  id: data.deletionId,
  accountId: subject,
  requestedAt: new Date(time),
  dueAt: new Date(data.dueAt),
  remindedAt: null,
});

const withoutVersions = (note: Note): EventHandler[] => [
  note(identity.factorAdded, (known, { time }) => changeFactors(known, time)),
  note(identity.factorRemoved, (known, { data, time }) => changeFactors(known, time, data.factor)),
  note(identity.recoveryCodesRenewed, (known, { time }) => changeFactors(known, time, 'recovery_codes')),
  note(identity.emailVerified, (known, { time }) => (known.verifiedAt = new Date(time))),
  note(identity.connectionEnded, (known, { data }) => known.endedConnections.push(data)),
  note(identity.webhookStopped, (known, { data }) => known.stoppedWebhooks.push(data.endpointId)),
  note(identity.deletionRequested, (known, event) => (known.deletion = deletionOf(event))),
  note(identity.deletionCancelled, (known) => (known.deletion = null)),
];

type KnownAccounts = {
  accounts: Map<string, Known>;
  disabledTools: string[];
  /** Whether the topic has everything since the instant of the database. */
  isComplete: boolean;
};

export const readAccounts = async (parts: Parts): Promise<KnownAccounts> => {
  const accounts = new Map<string, Known>();
  const disabledTools: string[] = [];
  const add = (id: string): Known => {
    const known = nothingKnown();
    accounts.set(id, known);
    return known;
  };
  const note: Note = (type, change) =>
    on(type, (event) => {
      change(accounts.get(event.subject) ?? add(event.subject), event);
      return Promise.resolve();
    });
  // First, since their addresses may belong to later accounts.
  for (const { userId } of await listDeletionsToRepeat(parts.db)) add(userId).isDeleted = true;
  const { topic } = identity.userRegistered;
  await readEvents(parts, topic, withVersions(note));
  const isComplete = await readLostEvents(parts, topic, [
    ...withoutVersions(note),
    on(identity.toolDisabled, ({ subject }) => Promise.resolve(void disabledTools.push(subject))),
  ]);
  return { accounts, disabledTools, isComplete };
};
