import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';
import type { Breach } from '@shortlist/operator/audit/sources';
import { select } from '../../tests/journeys/database.ts';
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

const problemOf = ({ kind, id, outcome }: Operation, isStored: boolean): string | null => {
  if (outcome === 'acked' && !isStored) return `${kind} ${id} was acked and is not stored`;
  return outcome === 'refused' && isStored && kind === 'spend'
    ? `${kind} ${id} was refused and is stored`
    : null;
};

/** V4 Each acked operation is stored, and no refused charge is. */
const compareWithHistory = async ({ backing }: Installation, history: History): Promise<Breach[]> => {
  const spends = await idsOf(backing.databaseAdminUrl, 'SELECT operation_id AS id FROM credits.ledger');
  const accounts = await idsOf(backing.databaseAdminUrl, 'SELECT id FROM identity.accounts');
  const payers = await idsOf(
    backing.databaseAdminUrl,
    "SELECT user_id AS id FROM billing.invoices WHERE status = 'paid'",
  );
  const isStored = ({ kind, id, userId }: Operation): boolean =>
    ({
      spend: spends.has(id),
      sign_up: accounts.has(id),
      payment: payers.has(userId),
      deletion: !accounts.has(userId),
    })[kind];
  const operations = history.all();
  const deleted = new Set(operations.filter(({ kind }) => kind === 'deletion').map(({ userId }) => userId));
  return operations
    .filter(({ kind, userId }) => kind === 'deletion' || !deleted.has(userId))
    .map((operation) => problemOf(operation, isStored(operation)))
    .filter((detail) => detail !== null)
    .map((detail) => ({ invariant: 'V4', detail }));
};

/** V10 No mail is still pending. */
const findPendingMails = async ({ backing }: Installation): Promise<Breach[]> => {
  const pending = await idsOf(
    backing.databaseAdminUrl,
    `SELECT CONCAT(id, ' (', template, ', ', status, ', tried ', attempts, ' times: ', COALESCE(last_error, ''), ')') AS id
     FROM worker.mails WHERE status IN ('pending', 'sending')`,
  );
  return [...pending].map((mail) => ({ invariant: 'V10', detail: `mail ${mail} is still pending` }));
};

const findBreaches = async (system: Installation, history: History): Promise<Breach[]> =>
  (
    await Promise.all([compareWithHistory(system, history), findPendingMails(system), auditSystem(system)])
  ).flat();

const EVERY_MS = 3_000;
/** The time that V10 allows between the last fault and a consistent state. */
export const SETTLE_LIMIT_MS = 60_000;

/** V10 Waits until every invariant holds, without intervention. Returns the breaches that remain after `limitMs`. */
export const waitUntilSettled = async (
  system: Installation,
  history: History,
  limitMs: number,
): Promise<{ breaches: Breach[]; ms: number }> => {
  const startedAt = performance.now();
  for (;;) {
    const breaches = await findBreaches(system, history).catch((error: unknown) => [
      { invariant: 'audit', detail: String(error) },
    ]);
    const ms = performance.now() - startedAt;
    if (breaches.length === 0 || ms > limitMs) return { breaches, ms };
    await sleep(EVERY_MS);
  }
};
