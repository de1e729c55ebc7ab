import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';
import { select, type Breach } from '../audit/sources.ts';
import { auditSystem } from '../../tests/journeys/audit.ts';
import type { History, Operation } from './history.ts';

const idsOf = async (adminUrl: string, sql: string): Promise<Set<string>> => {
  const db = await createConnection({ uri: adminUrl, timezone: 'Z' });
  try {
    return new Set((await select<{ id: string }>(db, sql)).map(({ id }) => id));
  } finally {
    await db.end();
  }
};

const wrongWith = ({ kind, id, outcome }: Operation, isStored: boolean): string | null => {
  if (outcome === 'acked' && !isStored) return `${kind} ${id} was acked and is not there`;
  return outcome === 'refused' && isStored && kind === 'spend'
    ? `${kind} ${id} was refused and is there`
    : null;
};

/** V4 Whatever a client was told had happened is there; whatever it was told had not is not. */
const heldAgainstHistory = async ({ backing }: System, history: History): Promise<Breach[]> => {
  const spends = await idsOf(backing.databaseAdminUrl, 'SELECT operation_id AS id FROM credits.ledger');
  const accounts = await idsOf(backing.databaseAdminUrl, 'SELECT id FROM identity.accounts');
  const payers = await idsOf(
    backing.databaseAdminUrl,
    "SELECT user_id AS id FROM billing.invoices WHERE status = 'paid'",
  );
  const isStored = ({ kind, id, userId }: Operation): boolean =>
    ({ spend: spends.has(id), sign_up: accounts.has(id), payment: payers.has(userId) })[kind];
  return history
    .all()
    .map((operation) => wrongWith(operation, isStored(operation)))
    .filter((what) => what !== null)
    .map((what) => ({ invariant: 'V4', what }));
};

/** V10 A mail that was asked for is on its way no longer than anything else. */
const mailsHaveGone = async ({ backing }: System): Promise<Breach[]> => {
  const waiting = await idsOf(
    backing.databaseAdminUrl,
    `SELECT CONCAT(id, ' (', template, ', ', status, ', tried ', attempts, ' times: ', COALESCE(last_error, ''), ')') AS id
     FROM worker.mails WHERE status IN ('pending', 'sending')`,
  );
  return [...waiting].map((mail) => ({ invariant: 'V10', what: `mail ${mail} still waits` }));
};

const findBreaches = async (system: System, history: History): Promise<Breach[]> =>
  (
    await Promise.all([heldAgainstHistory(system, history), mailsHaveGone(system), auditSystem(system)])
  ).flat();

const EVERY_MS = 3_000;
/** What V10 grants between the last fault and order. */
export const SETTLE_LIMIT_MS = 60_000;

/** V10 Everything is in order within `limitMs` of the last fault, with no hand. Answers the breaches that are left then. */
export const waitForOrder = async (
  system: System,
  history: History,
  limitMs: number,
): Promise<{ breaches: Breach[]; ms: number }> => {
  const begun = performance.now();
  for (;;) {
    const breaches = await findBreaches(system, history).catch((error: unknown) => [
      { invariant: 'audit', what: String(error) },
    ]);
    const ms = performance.now() - begun;
    if (breaches.length === 0 || ms > limitMs) return { breaches, ms };
    await sleep(EVERY_MS);
  }
};
