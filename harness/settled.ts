import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';
import type { Installation } from '@shortlist/local/system';
import type { Breach } from '@shortlist/operator/verify/sources';
import { createConnection } from 'mysql2/promise';
import { verifySystem } from './verify-system.ts';
import { select } from './database.ts';
import type { History, Operation } from './history.ts';

const EVERY_MS = 3_000;
/** The time that V10 allows between the last fault and a consistent state. */
export const SETTLE_LIMIT_MS = minutes(1);

const idsOf = async ({ backing }: Installation, sql: string): Promise<Set<string>> => {
  const db = await createConnection({ uri: backing.databaseAdminUrl, timezone: 'Z' });
  try {
    return new Set((await select<{ id: string }>(db, sql)).map(({ id }) => id));
  } finally {
    await db.end();
  }
};

/** V4 Each acked operation is stored, and no refused charge is. */
const compareWithHistory = async (system: Installation, history: History): Promise<Breach[]> => {
  const spends = await idsOf(system, 'SELECT operation_id AS id FROM credits.ledger');
  const accounts = await idsOf(system, 'SELECT id FROM identity.accounts');
  const paid = "SELECT user_id AS id FROM billing.invoices WHERE status = 'paid'";
  const payers = await idsOf(system, paid);
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
    .filter((operation) =>
      isStored(operation)
        ? operation.kind === 'spend' && operation.outcome === 'refused'
        : operation.outcome === 'acked',
    )
    .map((operation) => {
      const stored = isStored(operation) ? 'is stored' : 'is not stored';
      return {
        invariant: 'V4',
        detail: `${operation.kind} ${operation.id} of ${operation.userId} was ${operation.outcome} and ${stored}`,
      };
    });
};

/** V10 No mail is still pending. */
const findPendingMails = async (system: Installation): Promise<Breach[]> => {
  const pending = await idsOf(
    system,
    `SELECT CONCAT(id, ' of ', user_id, ' (', template, ', ', status, ', tried ', attempts, ' times: ', COALESCE(last_error, ''), ')') AS id
     FROM worker.mails WHERE status IN ('pending', 'sending')`,
  );
  return [...pending].map((mail) => ({ invariant: 'V10', detail: `mail ${mail} is still pending` }));
};

const findBreaches = async (system: Installation, history: History): Promise<Breach[]> => {
  const checks = [compareWithHistory(system, history), findPendingMails(system), verifySystem(system)];
  return (await Promise.all(checks)).flat();
};

/**
 * V10 Waits until every invariant holds, without intervention, or all breaches are those that `isExpected` names. Returns the breaches that are
 * there then, or after `limitMs`.
 */
export const waitUntilSettled = async (
  system: Installation,
  history: History,
  limitMs: number,
  isExpected: (breach: Breach) => boolean = () => false,
): Promise<{ breaches: Breach[]; ms: number }> => {
  const startedAt = performance.now();
  for (;;) {
    const breaches = await findBreaches(system, history).catch((error: unknown) => [
      { invariant: 'verify', detail: String(error) },
    ]);
    const ms = performance.now() - startedAt;
    if (breaches.every(isExpected) || ms > limitMs) return { breaches, ms };
    await sleep(EVERY_MS);
  }
};
