import {
  connectionEndpoints,
  type RegisteredTool,
  toolEndpoints,
} from '@shortlist/contracts/api/connected-apps';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { endConnection } from './change-connection.ts';
import { disableTool, enableTool, endDisabledConnections } from './change-tool.ts';
import { countUsersOfTools, listConnections, presentConnection, recordUse } from './connection-queries.ts';
import { listTools, type ToolRow } from './queries.ts';

const present = (
  { id, name, logo, isVerified, scopes, redirectUris, createdAt, disabledAt }: ToolRow,
  users: number,
): RegisteredTool => ({
  id,
  name,
  logo,
  isVerified,
  scopes,
  redirectUris,
  users,
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
});

type Parts = { db: Db; clock: Clock };

const addConnectionEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(connectionEndpoints.listConnections, async ({ input: { userId } }) => ({
    data: (await listConnections(db.manager, userId)).map((row) => presentConnection(row, clock())),
  }));

  router.add(connectionEndpoints.endConnection, async ({ input: { reason: why, ...input }, caller }) => {
    const reason = caller.role === 'admin' ? 'support' : 'user';
    const ending = { ...input, reason, ...(why === undefined ? {} : { why }), caller, clock } as const;
    await inTransaction(db, (tx) => endConnection(tx, ending));
    return { message: 'ended' };
  });

  router.add(connectionEndpoints.recordConnectionUse, async ({ input }) => {
    await recordUse(db.manager, input);
    return { message: 'recorded' };
  });
};

/** The endpoints for registered apps and users' connections to them. */
export const addToolEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addConnectionEndpoints(router, parts);

  router.add(toolEndpoints.listTools, async () => {
    const users = await countUsersOfTools(db.manager, clock());
    const tools = await listTools(db.manager);
    return { data: tools.map((tool) => present(tool, users.get(tool.id) ?? 0)) };
  });

  router.add(toolEndpoints.disableTool, async ({ input, caller }) => {
    const { generation } = await inTransaction(db, (tx) => disableTool(tx, { ...input, caller, clock }));
    return { data: { generation } };
  });

  router.add(toolEndpoints.enableTool, async ({ input, caller }) => {
    await inTransaction(db, (tx) => enableTool(tx, { ...input, caller, clock }));
    return { message: 'enabled' };
  });

  router.add(toolEndpoints.endDisabledConnections, () => endDisabledConnections(db, clock));
};
