import { randomBytes } from 'node:crypto';
import { auditEndpoint, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { AuditAction } from '@shortlist/contracts/audit-log';
import { CHANGE_COLUMNS } from '@shortlist/contracts/api/privacy';
import type { Db, Tx } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { pagedSection, type ReadSection } from '@shortlist/kit/http/section-endpoint';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import { REDACTED } from './chain.ts';
import { insertEntry, listAllAbout, listAudit, listEntriesAbout, updateStates } from './queries.ts';

/** One change. `before` and `after` never contain a password or a secret, only what another admin may read. */
export type AuditRecord = {
  action: AuditAction;
  targetId: string;
  before?: object | null;
  after?: object | null;
};

type Actor = { actorId: string; address: string };
type Entry = AuditRecord & Actor & { clock: Clock };

/** The actor of a call; `actorId` is used when the call has no user. */
export const actorOf = ({ userId, address = '' }: Caller, actorId: string): Actor => ({
  actorId: userId ?? actorId,
  address,
});

/** Adds an audit entry in the transaction of the action it describes. */
export const recordAction = (
  tx: Tx,
  { clock, before = null, after = null, ...entry }: Entry,
): Promise<void> =>
  insertEntry(tx, {
    ...entry,
    id: uuidv7(),
    at: clock(),
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    salt: randomBytes(16).toString('hex'),
  });

/** Adds an audit entry in the transaction of the change it describes, if the caller is an admin. */
export const recordAdminChange = async (
  tx: Tx,
  { caller, ...record }: AuditRecord & { caller: Caller; clock: Clock },
): Promise<void> => {
  if (caller.role !== 'admin') return;
  await recordAction(tx, { ...record, ...actorOf(caller, '') });
};

/** Adds an audit entry for a change that the product made on its own. */
export const recordSystemChange = (tx: Tx, record: AuditRecord & { clock: Clock }): Promise<void> =>
  recordAction(tx, { ...record, actorId: SYSTEM_ACTOR_ID, address: '' });

const redactState = (state: string | null): string | null =>
  state &&
  JSON.stringify(JSON.parse(state), (_key, value: unknown) => (typeof value === 'string' ? REDACTED : value));

/**
 * Replaces every string in the entries about a deleted user, and removes the network address of those that the user caused; actor,
 * action, target and time stay (decision 9).
 */
export const redactEntries = async (tx: Tx, targetId: string): Promise<void> => {
  for (const { id, actorId, address, before, after } of await listAllAbout(tx, targetId))
    await updateStates(tx, {
      id,
      before: redactState(before),
      after: redactState(after),
      address: actorId === targetId ? '' : address,
      salt: null,
    });
};

/** The endpoint through which a service returns its part of the audit log. */
export const addAuditEndpoint = (router: Router, db: Db): void => {
  router.add(auditEndpoint, async ({ input }) => ({ data: await listAudit(db.manager, input) }));
};

const namedActor = (actorId: string, userId: string): string => {
  if (actorId === userId) return 'you';
  return actorId === SYSTEM_ACTOR_ID ? 'the product' : 'support';
};

/** The audit entries about a user, without the ids and addresses of other persons. */
export const auditSection = (db: Db): ReadSection =>
  pagedSection(CHANGE_COLUMNS, async (userId, after, limit) => {
    const entries = await listEntriesAbout(db.manager, userId, { after, limit });
    return entries.map((entry) => ({ ...entry, by: namedActor(entry.actorId, userId) }));
  });
