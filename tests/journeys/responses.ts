import type { publicEndpoints } from '@shortlist/contracts/api/public';
import type { System } from '@shortlist/local/system';
import type { Role } from '../../bff/test/response-fields.ts';
import {
  type Answer,
  ask,
  logIn,
  logInAdmin,
  type LoggedIn,
  newPerson,
  payAtProvider,
  signUp,
} from './client.ts';

type Endpoint = keyof typeof publicEndpoints | 'refusal';
type Seen = { endpoint: Endpoint; role: Role; body: unknown };

/** The names of all fields of an answer, a list's as `name[]`. */
export const fieldPaths = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => fieldPaths(one, `${path}[]`));
  if (value === null || typeof value !== 'object') return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, one]) =>
    fieldPaths(one, path === '' ? name : `${path}.${name}`),
  );
};

type Looking = { system: System; seen: Seen[]; person: LoggedIn; admin: string };

const look = async (
  { system, seen }: Pick<Looking, 'system' | 'seen'>,
  [endpoint, role]: [Endpoint, Role],
  request: [method: string, path: string, more?: Parameters<typeof ask>[2]],
): Promise<Answer> => {
  const [method, path, more] = request;
  const answer = await ask(`${system.publicUrl}${path}`, method, more);
  if (answer.status >= 300 && endpoint !== 'refusal')
    throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
  seen.push({ endpoint, role, body: answer.body });
  return answer;
};

const formOf = (fields: object): FormData => {
  const form = new FormData();
  form.set('userData', JSON.stringify(fields));
  return form;
};

const checkAnonymous = async (looking: Pick<Looking, 'system' | 'seen'>): Promise<void> => {
  await look(looking, ['signup', 'anonymous'], ['POST', '/signup', { body: formOf(newPerson()) }]);
  await look(looking, ['emailAvailability', 'anonymous'], ['GET', '/api/email-availability?email=a@b.co']);
  await look(looking, ['config', 'anonymous'], ['GET', '/api/config']);
  await look(looking, ['refusal', 'anonymous'], ['GET', '/users']);
  await look(looking, ['refusal', 'anonymous'], ['POST', '/signup', { body: formOf({}) }]);
};

const checkAsUser = async (looking: Looking): Promise<void> => {
  const { system, person } = looking;
  const { token } = person;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  await look(looking, as('subscribe'), ['GET', '/subscribe', { token }]);
  const xsl = await payAtProvider(system, person);
  await look(looking, as('confirmPayment'), ['PUT', '/user-payment', { token, body: { xsl } }]);
  const spend = (key: string) => ({
    token,
    headers: { 'idempotency-key': key },
    body: { reason: 'email_found', reference: 'linkedin.com/in/one' },
  });
  await look(looking, as('chargeCredit'), ['POST', '/api/credits/spend', spend('answers-spend')]);
  for (const end of ['commit', 'release'] as const) {
    const reserved = await look(looking, as('reserveCredit'), [
      'POST',
      '/api/credits/reservations',
      spend(`answers-${end}`),
    ]);
    const endpoint = end === 'commit' ? 'commitReservation' : 'releaseReservation';
    await look(looking, as(endpoint), [
      'POST',
      `/api/credits/reservations/${String(reserved.body['id'])}/${end}`,
      { token },
    ]);
  }
  const { email: _email, password: _password, ...fields } = newPerson();
  await look(looking, as('updateUser'), ['PUT', `/users/${person.id}`, { token, body: formOf(fields) }]);
  const checked = await look(looking, as('checkUser'), ['GET', '/authentication_check', { token }]);
  const { stripe_customer_id: customer } = checked.body['user'] as { stripe_customer_id: string };
  await look(looking, as('billingPortal'), ['GET', `/customers/${customer}`, { token }]);
  await look(looking, as('subscription'), ['GET', '/api/subscription', { token }]);
  await look(looking, as('credits'), ['GET', '/api/credits', { token }]);
  await look(looking, as('creditsHistory'), ['GET', '/api/credits/history', { token }]);
};

const checkAsAdmin = async (looking: Looking): Promise<void> => {
  const { person, admin: token } = looking;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'admin'];
  const { email: _email, password: _password, ...fields } = newPerson();
  await look(looking, as('signup'), ['POST', '/signup', { token, body: formOf(newPerson()) }]);
  await look(looking, as('updateUser'), ['PUT', `/users/${person.id}`, { token, body: formOf(fields) }]);
  await look(looking, as('grantPlan'), ['PUT', `/admin/user-payment/${person.id}`, { token }]);
  await look(looking, as('revokePlan'), ['PUT', `/admin/unsubscribe/${person.id}`, { token }]);
  await look(looking, as('checkAdmin'), ['GET', '/check_authentication', { token }]);
  await look(looking, as('listUsers'), ['GET', '/users', { token }]);
  await look(looking, as('newestUsers'), ['GET', '/api/users/newest', { token }]);
  await look(looking, as('getUser'), ['GET', `/api/users/${person.id}`, { token }]);
  await look(looking, as('earnings'), ['GET', '/api/admin/earnings?period=week', { token }]);
  const audit = `/api/admin/audit?targetId=${person.id}`;
  await look(looking, as('audit'), ['GET', audit, { token }]);
  await look(looking, as('deleteUser'), ['DELETE', `/users/${person.id}`, { token }]);
  await look(looking, as('refusal'), ['GET', `/api/users/${person.id}`, { token }]);
};

/** Opens every door of the browser that answers JSON, as whoever may. */
export const lookEverywhere = async (system: System): Promise<Seen[]> => {
  const seen: Seen[] = [];
  await checkAnonymous({ system, seen });
  const person = newPerson();
  await signUp(system, person);
  const login = { body: { email: person.email, password: person.password } };
  await look({ system, seen }, ['login', 'user'], ['POST', '/login', login]);
  await look(
    { system, seen },
    ['adminLogin', 'admin'],
    ['POST', '/super-admin-authentication', { body: system.admin }],
  );
  const looking = { system, seen, person: await logIn(system, person), admin: await logInAdmin(system) };
  await checkAsUser(looking);
  await checkAsAdmin(looking);
  await look({ system, seen }, ['logout', 'user'], ['POST', '/api/logout', { token: looking.person.token }]);
  return seen;
};
