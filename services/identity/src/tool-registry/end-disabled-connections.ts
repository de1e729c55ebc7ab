import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { endOverruledConnections } from '../connections/end-connection.ts';
import { listTools, type ToolRow } from '../tools/queries.ts';

/** Connections that one transaction ends, and one call in all. */
const BATCH = 100;
const CALL = 1_000;

const endOf = async (db: Db, tool: ToolRow, { clock, limit }: { clock: Clock; limit: number }) => {
  const order = { tool, limit: BATCH, caller: SERVICE_CALLER, clock };
  let count = 0;
  for (let ended = BATCH; ended === BATCH && count < limit; count += ended)
    ended = await inTransaction(db, (tx) => endOverruledConnections(tx, order));
  return count;
};

/**
 * Ends connections of tools that were disabled since they began. Their tokens are refused already: this tells the pages of their users, and
 * records each end. They are found by their rows, so a missed or repeated run makes no difference. `more`: there may be others.
 */
export const endDisabledConnections = async (
  db: Db,
  clock: Clock,
): Promise<{ ended: number; more: boolean }> => {
  let ended = 0;
  for (const tool of await listTools(db.manager))
    if (tool.generation > 0) ended += await endOf(db, tool, { clock, limit: CALL - ended });
  return { ended, more: ended >= CALL };
};
