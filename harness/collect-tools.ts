import type { WebhookDelivery } from '@shortlist/contracts/api/webhooks';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { type Collect, type Endpoint, type Role } from './collect.ts';
import { postForm, registerTool } from './tools.ts';

type Context = { system: System; user: { id: string }; token: string; admin: string; collect: Collect };

const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];

/** Support ends a key or a connected app. */
const endBySupport = (
  { user, admin, collect }: Omit<Context, 'system'>,
  endpoint: 'endUserKey' | 'endUserConnection',
  id: string,
) => {
  const kind = endpoint === 'endUserKey' ? 'api-keys' : 'connections';
  const body = { reason: 'It was in a public repository' };
  const request = { token: admin, body };
  return collect([endpoint, 'admin'], ['POST', `/api/users/${user.id}/${kind}/${id}/end`, request]);
};

const collectApiKeys = async (context: Omit<Context, 'system'>): Promise<void> => {
  const { user, token, admin, collect } = context;
  const body = { name: 'Weekly report', scopes: ['credits:read'], expiresInDays: 90 };
  const created = await collect(as('createApiKey'), ['POST', '/api/api-keys', { token, body }]);
  const { id } = created.body['data'] as { id: string };
  await collect(as('listApiKeys'), ['GET', '/api/api-keys', { token }]);
  await collect(as('access'), ['GET', '/api/access', { token }]);
  await collect(['userAccess', 'admin'], ['GET', `/api/users/${user.id}/access`, { token: admin }]);
  await endBySupport(context, 'endUserKey', id);
  await collect(as('revokeApiKey'), ['DELETE', `/api/api-keys/${id}`, { token }]);
};

const collectWebhooks = async ({ token, collect }: Omit<Context, 'system'>): Promise<void> => {
  const body = { url: 'https://hooks.example.com/', events: ['plan.changed'] };
  const created = await collect(as('createWebhook'), ['POST', '/api/webhooks', { token, body }]);
  const { id } = created.body['data'] as { id: string };
  const path = `/api/webhooks/${id}`;
  const readLog = async () => {
    const log = await collect(as('webhookDeliveries'), ['GET', `${path}/deliveries`, { token }]);
    return log.body['data'] as WebhookDelivery[];
  };
  await collect(as('webhooks'), ['GET', '/api/webhooks', { token }]);
  await collect(as('rotateWebhookSecret'), ['POST', `${path}/secret`, { token }]);
  await collect(as('changeWebhook'), ['PUT', path, { token, body: { ...body, isOn: true } }]);
  await collect(as('sendTestEvent'), ['POST', `${path}/test`, { token }]);
  await until('the first try', async () => (await readLog())[0]?.tries.length === 1);
  const [delivery] = await readLog();
  const redelivery = `${path}/deliveries/${delivery?.id}/redeliver`;
  await collect(as('redeliver'), ['POST', redelivery, { token }]);
  await collect(as('deleteWebhook'), ['DELETE', path, { token }]);
};

/** Every decision about an app, whose request begins anew for each. */
const collectConnections = async (context: Context): Promise<void> => {
  const { system, token, collect } = context;
  const clientId = await registerTool(system);
  const ask = async () => {
    const fields = { client_id: clientId, scope: 'credits:read', device_name: 'MacBook of Marta' };
    const { body } = await postForm(system, '/oauth/device', fields);
    return { token, body: { source: 'device', request: body['user_code'] } };
  };
  const request = await ask();
  await collect(as('findConnectionRequest'), ['POST', '/api/connections/find', request]);
  await collect(as('approveConnection'), ['POST', '/api/connections/approve', request]);
  await collect(as('denyConnection'), ['POST', '/api/connections/deny', await ask()]);
  const listed = await collect(as('listConnections'), ['GET', '/api/connections', { token }]);
  const [connection] = listed.body['data'] as { id: string }[];
  await endBySupport(context, 'endUserConnection', connection?.id ?? '');
  await collect(as('endConnection'), ['DELETE', `/api/connections/${connection?.id}`, { token }]);
};

/** What a user does with keys, webhooks and connected apps. */
export const collectTools = async (context: Context): Promise<void> => {
  await collectApiKeys(context);
  await collectWebhooks(context);
  await collectConnections(context);
};

/** What an owner does with the apps that an operator has registered. */
export const collectRegisteredTools = async (
  system: System,
  token: string,
  collect: Collect,
): Promise<void> => {
  const path = `/api/admin/tools/${await registerTool(system)}`;
  await collect(['tools', 'admin'], ['GET', '/api/admin/tools', { token }]);
  await collect(['disableTool', 'admin'], ['POST', `${path}/disable`, { token }]);
  await collect(['enableTool', 'admin'], ['POST', `${path}/enable`, { token }]);
};
