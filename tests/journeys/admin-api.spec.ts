import { ANSWER_FIELDS, type Role } from '../../bff/test/response-fields.ts';
import { fieldPaths, lookEverywhere } from './responses.ts';
import { ask, logIn, logInAdmin, newPerson, readUser, register, signUp } from './client.ts';
import { expect, test } from './system.ts';

const SECRET = /hash|password|secret|token/i;
/** What is wrong with the password that was sent. */
const MESSAGE = 'refusal anonymous: error.fields.password';
/** The answers that carry a token: to whoever has just logged in with it. */
const TOKENS = ['login user: data.token', 'adminLogin admin: credentials.token'];

test('D5 Responses contain exactly the documented fields per role (snapshot); never hash, reset token, secret.', async ({
  system,
}) => {
  const answers = await lookEverywhere(system);
  const found: Record<string, Partial<Record<Role, string[]>>> = {};
  for (const { endpoint, role, body } of answers) {
    const known = (found[endpoint] ??= {});
    known[role] = [...new Set([...(known[role] ?? []), ...fieldPaths(body)])].toSorted();
  }
  const documented = Object.entries(ANSWER_FIELDS).map(([endpoint, roles]) => [
    endpoint,
    Object.fromEntries(Object.entries(roles).map(([role, fields]) => [role, fields.toSorted()])),
  ]);
  expect(found).toEqual(Object.fromEntries(documented));
  const paths = Object.entries(found).flatMap(([endpoint, roles]) =>
    Object.entries(roles).flatMap(([role, fields]) => fields.map((field) => `${endpoint} ${role}: ${field}`)),
  );
  const telling = paths.filter((path) => SECRET.test(path.split(': ')[1] ?? ''));
  expect(telling.toSorted()).toEqual([...TOKENS, MESSAGE].toSorted());
});

test('A9 Admin sets a user’s password → audited, all that user’s sessions ended.', async ({ system }) => {
  const person = newPerson();
  await signUp(system, person);
  const sessions = [await logIn(system, person), await logIn(system, person)];
  const { id } = sessions[0] ?? { id: '' };
  const admin = await logInAdmin(system);
  const { email: _email, ...fields } = person;
  const body = new FormData();
  body.set('userData', JSON.stringify({ ...fields, password: 'set by an admin' }));
  const edited = await ask(`${system.publicUrl}/users/${id}`, 'PUT', { token: admin, body });
  expect(edited.status).toBe(200);
  for (const { token } of sessions)
    expect((await ask(`${system.publicUrl}/authentication_check`, 'GET', { token })).status).toBe(401);

  const log = await ask<{ data: { action: string; actorId: string; targetId: string }[] }>(
    `${system.publicUrl}/api/admin/audit?targetId=${id}&action=account.set_password`,
    'GET',
    { token: admin },
  );
  expect(log.body.data).toHaveLength(1);
  expect(log.body.data[0]).toMatchObject({ targetId: id, before: null, after: null });
  expect(log.body.data[0]?.actorId).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(log.body)).not.toContain('set by an admin');

  const old = await ask(`${system.publicUrl}/login`, 'POST', { body: person });
  expect(old.status).toBe(401);
  const again = await logIn(system, { ...person, password: 'set by an admin' });
  expect((await readUser(system, again)).id).toBe(id);
  expect((await ask(`${system.publicUrl}/check_authentication`, 'GET', { token: admin })).status).toBe(200);
});

test('S5 id must belong to the session user, or role admin; else 404 with the same body as unknown', async ({
  system,
}) => {
  const [mine, other] = [await register(system), await register(system)];
  const unknown = '0198a0b0-0000-7000-8000-000000000000';
  const edit = (id: string) => {
    const { email: _email, password: _password, ...fields } = newPerson({ city: 'Elsewhere' });
    const body = new FormData();
    body.set('userData', JSON.stringify(fields));
    return ask(`${system.publicUrl}/users/${id}`, 'PUT', { token: mine.token, body });
  };
  const portal = (id: string) => ask(`${system.publicUrl}/customers/${id}`, 'GET', { token: mine.token });
  const withoutIds = (answer: { status: number; body: unknown }): unknown =>
    JSON.parse(
      JSON.stringify({ status: answer.status, body: answer.body }).replace(
        /"requestId":"[^"]*"/g,
        '"requestId":""',
      ),
    );
  const [theirs, nobodys] = [await edit(other.id), await edit(unknown)];
  expect(theirs.status).toBe(404);
  expect(withoutIds(theirs)).toEqual(withoutIds(nobodys));
  expect((await readUser(system, other)).city).toBe('Lagos');

  const [customer, none] = [await portal('cus_ofsomebodyelse'), await portal('cus_nobody')];
  expect(customer.status).toBe(404);
  expect(withoutIds(customer)).toEqual(withoutIds(none));

  // Deleting is the admins' alone, whoever is named.
  const remove = (id: string) => ask(`${system.publicUrl}/users/${id}`, 'DELETE', { token: mine.token });
  const [ownResponse, foreign, absent] = [
    await remove(mine.id),
    await remove(other.id),
    await remove(unknown),
  ];
  expect(ownResponse.status).toBe(403);
  expect(withoutIds(foreign)).toEqual(withoutIds(absent));
  expect(withoutIds(foreign)).toEqual(withoutIds(ownResponse));
});

test('S9 GET /users: default page size with the old shape kept, hard cap, streaming/paging, no password or Stripe secrets in rows', async ({
  system,
}) => {
  const admin = await logInAdmin(system);
  for (let made = 0; made < 3; made += 1) await register(system, { organizationName: 'Paging Partners' });
  const list = (query: string) =>
    ask<{ data: Record<string, unknown>[]; total: number; next: string | null }>(
      `${system.publicUrl}/users?${query}`,
      'GET',
      { token: admin },
    );
  const whole = await list('');
  expect(whole.body.data.length).toBeLessThanOrEqual(50);
  for (const limit of ['201', '1000000', '0', '-1']) expect((await list(`limit=${limit}`)).status).toBe(400);

  const first = await list('search=paging&limit=2');
  const second = await list(`search=paging&limit=2&cursor=${first.body.next ?? ''}`);
  expect([first.body.data.length, second.body.data.length, second.body.next]).toEqual([2, 1, null]);
  expect(new Set([...first.body.data, ...second.body.data].map(({ id }) => id)).size).toBe(3);
  for (const row of whole.body.data)
    expect(
      Object.keys(row).filter((name) => /password|hash|secret|stripe|customer|token/i.test(name)),
    ).toEqual([]);
});
