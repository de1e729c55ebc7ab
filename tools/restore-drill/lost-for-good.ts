// What nothing can bring back once the topics are lost as well as a database: rows that the database alone has. Everything else must hold. The rows
// are compared before and right after the restore, so that a breach is expected only if it names one of them.
import type { System } from '@shortlist/local/system';
import type { Service } from '@shortlist/operator/backup/manifest';
import type { Breach } from '@shortlist/operator/verify/sources';
import { createConnection } from 'mysql2/promise';
import { select } from '../../harness/database.ts';

type Loss = {
  /** The ids of the rows. */
  sql: string;
  /** The breaches that follow from the loss of one of them. */
  expects: (breach: Breach, isLost: (id: string) => boolean) => boolean;
};

/** Ids, and also operations such as `<user id>-7`, as one word each. */
const wordsOf = ({ detail }: Breach): string[] => detail.match(/[\w-]+/g) ?? [];

/** billing reads its rows at Stripe again, profile gets its rows from the events of others. */
const LOSSES: Partial<Record<Service, Loss>> = {
  // Who registered since has data everywhere and no account: docs/backup.md. The charges of such a user are still stored.
  identity: {
    sql: 'SELECT id FROM identity.accounts',
    expects: ({ invariant, ...breach }, isLost) =>
      ['V4', 'V7', 'V11'].includes(invariant) &&
      wordsOf({ invariant, ...breach }).some(isLost) &&
      !breach.detail.startsWith('deletion'),
  },
  credits: {
    sql: 'SELECT operation_id AS id FROM credits.ledger',
    expects: ({ invariant, detail }, isLost) =>
      invariant === 'V4' && isLost(/^spend (\S+) was acked and is not stored$/.exec(detail)?.[1] ?? ''),
  },
  // The mails that were sent since go out again.
  worker: {
    sql: "SELECT id FROM worker.mails WHERE status = 'sent'",
    expects: ({ invariant, detail }, isLost) =>
      invariant === 'V8' && isLost(/^mail (\S+) was sent 2 times$/.exec(detail)?.[1] ?? ''),
  },
};

export type Ids = ReadonlyMap<Service, ReadonlySet<string>>;

/** The ids of the rows of these services that only their own databases and topics have. */
export const readIds = async ({ backing }: System, services: readonly Service[]): Promise<Ids> => {
  const db = await createConnection({ uri: backing.databaseAdminUrl });
  try {
    const ids = new Map<Service, Set<string>>();
    for (const service of services) {
      const loss = LOSSES[service];
      if (loss === undefined) continue;
      ids.set(service, new Set((await select<{ id: string }>(db, loss.sql)).map(({ id }) => id)));
    }
    return ids;
  } finally {
    await db.end();
  }
};

/** Whether a breach follows from the rows that a restore has lost. */
export const followsFrom =
  (before: Ids, after: Ids) =>
  (breach: Breach): boolean =>
    [...before].some(([service, ids]) => {
      const isLost = (id: string): boolean => ids.has(id) && after.get(service)?.has(id) !== true;
      return LOSSES[service]?.expects(breach, isLost) === true;
    });
