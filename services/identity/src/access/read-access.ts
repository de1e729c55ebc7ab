import type { AccessView } from '@shortlist/contracts/api/connected-apps';
import type { Tx } from '@shortlist/kit/data/db';
import { listWorkingKeys } from '../api-keys/queries.ts';
import { listWorkingConnections } from '../tools/connection-queries.ts';
import { hostOf } from '../webhooks/change-webhook.ts';
import { listOn } from '../webhooks/queries.ts';

type Named = { id: string; createdAt: Date };

const present = ({ id, createdAt }: Named, name: string, detail = '') => ({
  id,
  name,
  detail,
  createdAt: createdAt.toISOString(),
});

/** Everything besides sessions that acts for a user now, as `endAccess` would end it. */
export const readAccess = async (tx: Tx, userId: string, now: Date): Promise<AccessView> => {
  const keys = await listWorkingKeys(tx, userId, now);
  const connections = await listWorkingConnections(tx, userId, now);
  const webhooks = await listOn(tx, userId);
  return {
    apiKeys: keys.map((key) => present(key, key.name, key.hint)),
    connections: connections.map((row) => present(row, row.tool.name, row.device)),
    webhooks: webhooks.map((row) => present(row, hostOf(row))),
  };
};
