import { type RegisteredTool, toolEndpoints } from '@shortlist/contracts/api/tools';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { disableTool, enableTool, endDisabledConnections } from './change-tool.ts';
import { countUsersOfTools } from './connection-queries.ts';
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

export const addRegisteredToolEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
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
