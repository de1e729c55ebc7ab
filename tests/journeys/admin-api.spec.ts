import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { profileFields } from '@shortlist/contracts/profile-fields';
import { collectResponses } from '../../harness/collect-responses.ts';
import { callApi, logIn, logInAdmin, newUser, readUser, register, signUp } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

/** Returns the paths of all fields of a response body; list items are `name[]`. */
const fieldPaths = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => fieldPaths(item, `${path}[]`));
  if (value === null || typeof value !== 'object') return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, item]) =>
    fieldPaths(item, path === '' ? name : `${path}.${name}`),
  );
};

const SECRET = /hash|password|secret|token/i;
/** The validation message for the password, its minimum length, and until when the former secret of a webhook signs. */
const HARMLESS = [
  'refusal anonymous: error.fields.password',
  'config anonymous: passwordMin',
  'changeWebhook user: data.previousSecretUntil',
  'createWebhook user: data.previousSecretUntil',
  'rotateWebhookSecret user: data.previousSecretUntil',
  'webhooks user: data[].previousSecretUntil',
];
/** The only responses with a token, those of a log-in, and those with the secret of an authenticator app or a webhook. */
const TOKENS = [
  'login user: data.token',
  'adminLogin admin: credentials.token',
  'secondFactor user: data.token',
  'createWebhook user: secret',
  'rotateWebhookSecret user: secret',
  'startTotp user: data.secret',
  'startViewing admin: data.token',
];

/** The fields that the audit log may contain of a change. */
const CHANGED = [
  ...profileFields.map(({ name }) => name),
  'alertId',
  'amount',
  'createdAt',
  'credits',
  'currency',
  'device',
  'dispute',
  'email',
  'endsAt',
  'events',
  'expiresAt',
  'factor',
  'grant',
  'granted',
  'granted.end',
  'granted.graceUntil',
  'granted.key',
  'granted.months',
  'granted.start',
  'host',
  'id',
  'invoice',
  'name',
  'note',
  'paid.end',
  'paid.graceUntil',
  'paid.key',
  'paid.months',
  'paid.start',
  'picture',
  'reason',
  'refund',
  'refunded',
  'resolvedAt',
  'scopes',
  'stop',
  'takenBack',
  'text',
  'used',
  'tool',
  'version',
];

/** Exports are files; a retried payment, a failed job, the removal of an admin's factors, the link in a mail, and passkeys, which need a browser, have their own tests. */
const ELSEWHERE =
  /^(exportUsers|exportAudit|exportHistory|exportPayments|exportRevenue|exportBulkItems|retryPayment|retryJob|downloadData|removeAdminFactors|unsubscribe|secondFactorPasskey|passkey.*|(add|rename|remove)Passkey)$/;

test('D5 Responses contain exactly the declared fields; never hash, reset token, secret.', async ({
  system,
}) => {
  const responses = await collectResponses(system);
  const endpoints = publicEndpoints as Record<string, PublicEndpoint<never, unknown>>;
  const undeclared = responses.flatMap(({ endpoint, role, body }) => {
    const problem = endpoints[endpoint]?.replySchema?.validate(body, { convert: false, abortEarly: false });
    return problem?.error === undefined ? [] : [`${endpoint} ${role}: ${problem.error.message}`];
  });
  expect(undeclared).toEqual([]);
  const expected = Object.keys(publicEndpoints).filter((name) => !ELSEWHERE.test(name));
  const called = new Set(responses.map(({ endpoint }) => endpoint));
  expect([...called].toSorted()).toEqual([...expected, 'refusal'].toSorted());

  const paths = responses.flatMap(({ endpoint, role, body }) =>
    fieldPaths(body).map((path) => `${endpoint} ${role}: ${path}`),
  );
  const sensitive = new Set(paths.filter((path) => SECRET.test(path.split(': ')[1] ?? '')));
  expect([...sensitive].toSorted()).toEqual([...TOKENS, ...HARMLESS].toSorted());
  const changed = paths.flatMap(
    (path) => /^audit admin: data\[\]\.(?:before|after)\.(.+)$/.exec(path)?.[1] ?? [],
  );
  expect([...new Set(changed)].toSorted()).toEqual(CHANGED.toSorted());
});

test('A9 Admin sets a user’s password → audited, all that user’s sessions ended.', async ({ system }) => {
  const user = newUser();
  await signUp(system, user);
  const sessions = [await logIn(system, user), await logIn(system, user)];
  const { id } = sessions[0] ?? { id: '' };
  const admin = await logInAdmin(system);
  const { email: _email, ...fields } = user;
  const body = new FormData();
  body.set('userData', JSON.stringify({ ...fields, password: 'set by an admin' }));
  const edited = await callApi(`${system.publicUrl}/users/${id}`, 'PUT', { token: admin, body });
  expect(edited.status).toBe(200);
  for (const { token } of sessions)
    expect((await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token })).status).toBe(401);

  const log = await callApi<{ data: { action: string; actorId: string; targetId: string }[] }>(
    `${system.publicUrl}/api/admin/audit?targetId=${id}&action=account.set_password`,
    'GET',
    { token: admin },
  );
  expect(log.body.data).toHaveLength(1);
  expect(log.body.data[0]).toMatchObject({ targetId: id, before: null, after: null });
  expect(log.body.data[0]?.actorId).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(log.body)).not.toContain('set by an admin');

  const { email, password } = user;
  const oldLogin = await callApi(`${system.publicUrl}/login`, 'POST', { body: { email, password } });
  expect(oldLogin.status).toBe(401);
  const newSession = await logIn(system, { ...user, password: 'set by an admin' });
  expect((await readUser(system, newSession)).id).toBe(id);
  expect((await callApi(`${system.publicUrl}/check_authentication`, 'GET', { token: admin })).status).toBe(
    200,
  );
});

test('S5 id must belong to the session user, or role admin; else 404 with the same body as unknown', async ({
  system,
}) => {
  const [user, otherUser] = [await register(system), await register(system)];
  const unknown = '0198a0b0-0000-7000-8000-000000000000';
  const edit = (id: string) => {
    const { email: _email, password: _password, ...fields } = newUser({ city: 'Elsewhere' });
    const body = new FormData();
    body.set('userData', JSON.stringify(fields));
    return callApi(`${system.publicUrl}/users/${id}`, 'PUT', { token: user.token, body });
  };
  const portal = (id: string) => callApi(`${system.publicUrl}/customers/${id}`, 'GET', { token: user.token });
  const withoutIds = (response: { status: number; body: unknown }): unknown =>
    JSON.parse(
      JSON.stringify({ status: response.status, body: response.body }).replace(
        /"requestId":"[^"]*"/g,
        '"requestId":""',
      ),
    );
  const [foreignEdit, unknownEdit] = [await edit(otherUser.id), await edit(unknown)];
  expect(foreignEdit.status).toBe(404);
  expect(withoutIds(foreignEdit)).toEqual(withoutIds(unknownEdit));
  expect((await readUser(system, otherUser)).city).toBe('Lagos');

  const [foreignPortal, unknownPortal] = [await portal('cus_ofanother'), await portal('cus_unknown')];
  expect(foreignPortal.status).toBe(404);
  expect(withoutIds(foreignPortal)).toEqual(withoutIds(unknownPortal));

  // Only admins may delete a user, so the response does not depend on the id.
  const remove = (id: string) => callApi(`${system.publicUrl}/users/${id}`, 'DELETE', { token: user.token });
  const [deleteSelf, deleteOther, deleteUnknown] = [
    await remove(user.id),
    await remove(otherUser.id),
    await remove(unknown),
  ];
  expect(deleteSelf.status).toBe(403);
  expect(withoutIds(deleteOther)).toEqual(withoutIds(deleteUnknown));
  expect(withoutIds(deleteOther)).toEqual(withoutIds(deleteSelf));
});

test('S9 GET /users: default page size with the old shape kept, hard cap, streaming/paging, no password or Stripe secrets in rows', async ({
  system,
}) => {
  const admin = await logInAdmin(system);
  for (let count = 0; count < 3; count += 1) await register(system, { organizationName: 'Paging Partners' });
  const list = (query: string) =>
    callApi<{ data: Record<string, unknown>[]; total: number; next: string | null }>(
      `${system.publicUrl}/users?${query}`,
      'GET',
      { token: admin },
    );
  const all = await list('');
  expect(all.body.data.length).toBeLessThanOrEqual(50);
  for (const limit of ['201', '1000000', '0', '-1', '1e2', '%2B5', '5.0'])
    expect((await list(`limit=${limit}`)).status).toBe(400);

  const first = await list('search=paging&limit=2');
  const second = await list(`search=paging&limit=2&cursor=${first.body.next ?? ''}`);
  expect([first.body.data.length, second.body.data.length, second.body.next]).toEqual([2, 1, null]);
  expect(new Set([...first.body.data, ...second.body.data].map(({ id }) => id)).size).toBe(3);
  for (const row of all.body.data)
    expect(
      Object.keys(row).filter((name) => /password|hash|secret|stripe|customer|token/i.test(name)),
    ).toEqual([]);
});
