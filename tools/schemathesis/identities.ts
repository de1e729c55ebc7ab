// Who sends the requests to the public API, each with data of their own.
import { randomUUID } from 'node:crypto';
import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import type { Team } from '@shortlist/contracts/api/team';
import type { System } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { callApi, logInAdmin, newUser, readUser, reserveCredit } from '../../harness/client.ts';
import { addAdmin } from '../../harness/team.ts';
import type { Ids, Sender } from './public-api.ts';

/** `logIn` fills in public-api.toml. */
type Identity = { ids: Ids; logIn: Record<string, string> };

const logInOf = (path: string, token: string, { email, password }: { email: string; password: string }) => ({
  LOG_IN_PATH: path,
  LOG_IN_TOKEN: token,
  LOG_IN_EMAIL: email,
  LOG_IN_PASSWORD: password,
});

/** A user with the plan, a key, a webhook and a reservation. */
const createUser = async (system: System): Promise<Identity> => {
  const { user, made } = await registerWithKey(system);
  const { token, email, id } = user;
  const { password } = newUser();
  const reserved = await reserveCredit(system, user, { operationId: randomUUID() });
  const body = { url: 'https://hooks.example.com/', events: ['plan.changed'] };
  const webhook = await callApi<{ data: { id: string } }>(`${system.publicUrl}/api/webhooks`, 'POST', {
    token,
    body,
  });
  const { stripe_customer_id: customerId } = await readUser(system, user);
  return {
    ids: {
      '/users/:id': id,
      ':userId': id,
      '/customers/:id': customerId ?? '',
      ':keyId': made.id,
      ':reservationId': reserved.body.id,
      ':endpointId': webhook.body.data.id,
    },
    logIn: logInOf('/login', '/data/token', { email, password }),
  };
};

/** Another admin, whom an owner's requests may change. */
const addColleague = async (system: System): Promise<Ids> => {
  const { email } = await addAdmin(system, 'support');
  const token = await logInAdmin(system);
  const { body } = await callApi<{ data: Team }>(`${system.publicUrl}/api/admin/team`, 'GET', { token });
  return { '/team/:id': body.data.members.find((member) => member.email === email)?.id ?? '' };
};

/** An admin, beside a user whom the requests may change. */
const createAdmin = async (system: System, role: AdminRole): Promise<Identity> => {
  const account = await addAdmin(system, role);
  const { ids } = await createUser(system);
  return {
    ids: {
      ...ids,
      ':grantId': randomUUID(),
      ...(may(role, 'team.manage') ? await addColleague(system) : {}),
    },
    logIn: logInOf('/super-admin-authentication', '/credentials/token', account),
  };
};

export const createIdentity = async (system: System, sender: Sender): Promise<Identity> => {
  if (sender === 'user') return createUser(system);
  if (sender !== 'nobody') return createAdmin(system, sender);
  return { ids: {}, logIn: logInOf('/login', '/data/token', { email: '', password: '' }) };
};
