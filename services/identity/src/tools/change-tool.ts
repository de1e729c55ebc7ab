// The operator registers apps; the operator or an admin disables and enables them. All of it is recorded.
import { recordAdminChange, recordSystemChange } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { toolDisabled } from '@shortlist/contracts/events/identity';
import { toolRight } from '@shortlist/contracts/api/endpoint';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { type Caller, SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { createError } from '@shortlist/kit/process/errors';
import { endRight } from '../accounts/end-right.ts';
import { endOverruledConnections } from './change-connection.ts';
import { countUsersOfTools } from './connection-queries.ts';
import { insertTool, listTools, lockTool, type ToolRow, updateTool } from './queries.ts';

type By = { caller: Caller; clock: Clock };
type Change = By & { toolId: string };
type Entry = { action: 'tool.disable' | 'tool.enable'; tool: ToolRow; disconnectedUsers?: number };

const lock = async (tx: Tx, id: string): Promise<ToolRow> => {
  const tool = await lockTool(tx, id);
  if (tool === null) throw createError('identity.tool_not_found');
  return tool;
};

/** The reason names the operator, who has no account. */
const record = (tx: Tx, { action, tool, ...more }: Entry, { caller, clock }: By): Promise<void> => {
  const { id: targetId, name, disabledAt } = tool;
  const states = {
    before: { name, disabled: disabledAt !== null },
    after: { name, disabled: disabledAt === null, ...more },
  };
  if (caller.role === 'admin') return recordAdminChange(tx, { action, targetId, ...states, caller, clock });
  const after = { ...states.after, reason: 'By the operator' };
  return recordSystemChange(tx, { action, targetId, ...states, after, clock });
};

export const registerTool = async (tx: Tx, tool: ToolRow, clock: Clock): Promise<void> => {
  await insertTool(tx, tool);
  const { id: targetId, name, isVerified: verified } = tool;
  const after = {
    name,
    scopes: tool.scopes.join(', '),
    redirects: tool.redirectUris.join(', '),
    verified,
  };
  await recordSystemChange(tx, { action: 'tool.register', targetId, after, clock });
};

/** The result of disabling an app; `users`: how many were disconnected. */
type Disabled = { generation: number; users: number };

/**
 * Disables an app and permanently disconnects all its users: after the commit, none of its tokens works. The rows of its connections, perhaps
 * thousands, are ended afterwards (`endDisabledConnections`). Repeating it changes nothing.
 */
export const disableTool = async (tx: Tx, { toolId, ...by }: Change): Promise<Disabled> => {
  const tool = await lock(tx, toolId);
  if (tool.disabledAt !== null) return { generation: tool.generation, users: 0 };
  const now = by.clock();
  const users = (await countUsersOfTools(tx, now, toolId)).get(toolId) ?? 0;
  const generation = nextVersion(tool.generation, now);
  await updateTool(tx, toolId, { disabledAt: now, generation });
  await endRight(tx, toolRight(toolId, generation), { subject: toolId, clock: by.clock });
  const data = { generation, by: by.caller.userId ?? SYSTEM_ACTOR_ID };
  await emit(tx, toolDisabled, { subject: toolId, data, clock: by.clock });
  await record(tx, { action: 'tool.disable', tool, disconnectedUsers: users }, by);
  return { generation, users };
};

/** Enables an app for new connections. Those from before stay ended. */
export const enableTool = async (tx: Tx, { toolId, ...by }: Change): Promise<void> => {
  const tool = await lock(tx, toolId);
  if (tool.disabledAt === null) return;
  await updateTool(tx, toolId, { disabledAt: null, generation: tool.generation });
  await record(tx, { action: 'tool.enable', tool }, by);
};

/** Connections ended per transaction, and per call. */
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
 * Ends the connections of apps that were disabled since they began. Their tokens are already refused; this notifies their users' pages and
 * records each end. Finds them by their rows, so a missed or repeated run makes no difference. `more`: there may be others.
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
