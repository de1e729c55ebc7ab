// What nothing can bring back once the topics are lost as well as a database: rows that the database alone has. Everything else must hold. The rows
// are compared before and right after the restore, so that a breach is expected only if it names one of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import type { Service } from '@shortlist/operator/backup/manifest';
import type { Breach } from '@shortlist/operator/verify/sources';
import { createConnection } from 'mysql2/promise';
import { select } from '../../harness/database.ts';

/** The rows of a service that a restore has lost, each with its user. */
type LostRows = ReadonlyMap<string, string>;

type Loss = {
  /** The ids of the rows, and their users. */
  sql: string;
  /** The breaches that follow from the loss of one of them. */
  expects: (breach: Breach, lost: (service: Service) => LostRows) => boolean;
};

/** Ids, and also operations such as `<user id>-7`, as one word each. */
const wordsOf = ({ detail }: Breach): string[] => detail.match(/[\w-]+/g) ?? [];

/** profile gets its rows from the events of others. */
const LOSSES: Partial<Record<Service, Loss>> = {
  // If profile was set back too, who registered since has data elsewhere and no account: docs/backup.md. The charges and payments of such a user are still stored.
  identity: {
    sql: 'SELECT id, id AS userId FROM identity.accounts',
    // With profile's, nobody knows where to send their mails.
    expects: ({ invariant, detail }, lost) =>
      (['V4', 'V7', 'V11'].includes(invariant) || detail.includes('profile does not know the user yet')) &&
      wordsOf({ invariant, detail }).some((word) => lost('identity').has(word)) &&
      !/^(deletion|payment) /.test(detail),
  },
  // billing reads its rows at Stripe again, but not of a user of whom nobody tells it: an alert names the subscription of such a user.
  billing: {
    sql: `SELECT user_id AS id, user_id AS userId FROM billing.subscribers
      UNION SELECT subscription_id, user_id FROM billing.subscriptions UNION SELECT invoice_id, user_id FROM billing.invoices`,
    expects: (breach, lost) =>
      ['V1', 'V2', 'V4'].includes(breach.invariant) &&
      wordsOf(breach).some((word) => lost('identity').has(lost('billing').get(word) ?? '')),
  },
  credits: {
    sql: 'SELECT operation_id AS id, user_id AS userId FROM credits.ledger',
    expects: ({ invariant, detail }, lost) =>
      invariant === 'V4' &&
      lost('credits').has(/^spend (\S+) of \S+ was acked and is not stored$/.exec(detail)?.[1] ?? ''),
  },
  // The mails that were sent since go out again.
  worker: {
    sql: "SELECT id, user_id AS userId FROM worker.mails WHERE status = 'sent'",
    expects: ({ invariant, detail }, lost) =>
      invariant === 'V8' && lost('worker').has(/^mail (\S+) was sent 2 times$/.exec(detail)?.[1] ?? ''),
  },
};

type Rows = Map<Service, LostRows>;

/** The rows of these services that only their own databases and topics have. */
export const readRows = async ({ backing }: System, services: readonly Service[]): Promise<Rows> => {
  const db = await createConnection({ uri: backing.databaseAdminUrl });
  try {
    const rows = new Map<Service, LostRows>();
    for (const service of services) {
      const loss = LOSSES[service];
      if (loss === undefined) continue;
      const found = await select<{ id: string; userId: string }>(db, loss.sql);
      rows.set(service, new Map(found.map(({ id, userId }) => [id, userId])));
    }
    return rows;
  } finally {
    await db.end();
  }
};

/** Whether a breach follows from the rows that a restore has lost. */
export const followsFrom = (before: Rows, after: Rows): ((breach: Breach) => boolean) => {
  const lost = new Map(
    [...before].map(([service, rows]) => [
      service,
      new Map([...rows].filter(([id]) => after.get(service)?.has(id) !== true)),
    ]),
  );
  const lostOf = (service: Service): LostRows => lost.get(service) ?? new Map();
  return (breach) => [...lost.keys()].some((service) => LOSSES[service]?.expects(breach, lostOf) === true);
};

const UNKNOWN_PAYER = /^(\S+) is active at the provider and its unknown user is not premium$/;

const EVERY_MS = seconds(3);

/** Of these breaches, the subscriptions of unknown users that no alert names after `limitMs`. */
export const findUnreported = async (
  { backing }: System,
  breaches: readonly Breach[],
  limitMs: number,
): Promise<Breach[]> => {
  const db = await createConnection({ uri: backing.databaseAdminUrl });
  const sql = `SELECT object_id AS id FROM billing.alerts WHERE kind = 'subscription_without_user' AND resolved_at IS NULL`;
  const end = performance.now() + limitMs;
  try {
    for (;;) {
      const reported = new Set((await select<{ id: string }>(db, sql)).map(({ id }) => id));
      const unreported = breaches.filter(({ detail }) => {
        const subscription = UNKNOWN_PAYER.exec(detail)?.[1];
        return subscription !== undefined && !reported.has(subscription);
      });
      if (unreported.length === 0 || performance.now() > end) return unreported;
      await sleep(EVERY_MS);
    }
  } finally {
    await db.end();
  }
};
