import type { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeviceView, TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import type { SystemView } from '@shortlist/contracts/api/admin-views';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import {
  type ApiRequest,
  type ApiResponse,
  callApi,
  confirmEmail,
  logIn,
  logInAdmin,
  mailedCode,
  mailedLink,
  tokenIn,
  type UserSession,
  newUser,
  payAtProvider,
  register,
  signUp,
} from './client.ts';
import { collectTeam, type Role } from './collect-team.ts';
import { totpCode } from './totp.ts';

/** `refusal` is the error response of every endpoint. */
type Endpoint = keyof typeof publicEndpoints | 'refusal';
type CollectedResponse = { endpoint: Endpoint; role: Role; request: ApiRequest; body: unknown };

type Context = { system: System; responses: CollectedResponse[]; user: UserSession; admin: string };

const collect = async (
  { system, responses }: Pick<Context, 'system' | 'responses'>,
  [endpoint, role]: [Endpoint, Role],
  request: ApiRequest,
): Promise<ApiResponse> => {
  const [method, path, more] = request;
  const response = await callApi(`${system.publicUrl}${path}`, method, more);
  if (response.status >= 300 && endpoint !== 'refusal')
    throw new Error(`${method} ${path} returned ${response.status} ${JSON.stringify(response.body)}`);
  responses.push({ endpoint, role, request, body: response.body });
  return response;
};

const WELCOME = 'Welcome to Shortlist';
const TRUSTED_DEVICES = '/api/trusted-devices';

const formOf = (fields: object): FormData => {
  const form = new FormData();
  form.set('userData', JSON.stringify(fields));
  return form;
};

const collectAsAnonymous = async (context: Pick<Context, 'system' | 'responses'>): Promise<void> => {
  await collect(context, ['signup', 'anonymous'], ['POST', '/signup', { body: formOf(newUser()) }]);
  await collect(context, ['emailAvailability', 'anonymous'], ['GET', '/api/email-availability?email=a@b.co']);
  await collect(context, ['config', 'anonymous'], ['GET', '/api/config']);
  await collect(context, ['refusal', 'anonymous'], ['GET', '/users']);
  await collect(context, ['refusal', 'anonymous'], ['POST', '/signup', { body: formOf({}) }]);
};

/** Lists and ends the sessions of the user or admin to whom both tokens belong. */
const collectSessions = async (
  context: Context,
  role: Role,
  { token, other }: { token: string; other: string },
): Promise<void> => {
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, role];
  const listed = await collect(context, as('listDevices'), ['GET', '/api/sessions', { token: other }]);
  await collect(context, as('listSignIns'), ['GET', '/api/sign-ins', { token }]);
  const [current] = listed.body['data'] as DeviceView[];
  await collect(context, as('endSession'), ['DELETE', `/api/sessions/${current?.id}`, { token }]);
  await collect(context, as('endOtherSessions'), ['POST', '/api/sessions/end-others', { token }]);
  await collect(context, as('endAllSessions'), ['POST', '/api/sessions/end-all', { token }]);
};

const collectAsUser = async (context: Context): Promise<void> => {
  const { system, user } = context;
  const { token } = user;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  await collect(context, as('subscribe'), ['GET', '/subscribe', { token }]);
  const xsl = await payAtProvider(system, user);
  await collect(context, as('confirmPayment'), ['PUT', '/user-payment', { token, body: { xsl } }]);
  const spend = (key: string) => ({
    token,
    headers: { 'idempotency-key': key },
    body: { reason: 'email_found', reference: 'linkedin.com/in/one' },
  });
  await collect(context, as('chargeCredit'), ['POST', '/api/credits/spend', spend('responses-spend')]);
  for (const end of ['commit', 'release'] as const) {
    const reserved = await collect(context, as('reserveCredit'), [
      'POST',
      '/api/credits/reservations',
      spend(`responses-${end}`),
    ]);
    const endpoint = end === 'commit' ? 'commitReservation' : 'releaseReservation';
    await collect(context, as(endpoint), [
      'POST',
      `/api/credits/reservations/${String(reserved.body['id'])}/${end}`,
      { token },
    ]);
  }
  const { email: _email, password: _password, ...fields } = newUser();
  await collect(context, as('updateUser'), ['PUT', `/users/${user.id}`, { token, body: formOf(fields) }]);
  const checked = await collect(context, as('checkUser'), ['GET', '/authentication_check', { token }]);
  const { stripe_customer_id: customer } = checked.body['user'] as { stripe_customer_id: string };
  await collect(context, as('billingPortal'), ['GET', `/customers/${customer}`, { token }]);
  await collect(context, as('subscription'), ['GET', '/api/subscription', { token }]);
  await collect(context, as('credits'), ['GET', '/api/credits', { token }]);
  await collect(context, as('creditsHistory'), ['GET', '/api/credits/history', { token }]);
};

/** The confirmation of the address, by the code of one mail and the link of another. */
const collectEmail = async (context: Context): Promise<void> => {
  const { system, user } = context;
  const { token } = user;
  await collect(context, ['resendVerification', 'user'], ['POST', '/api/email/resend', { token }]);
  const link = await mailedLink(system, user.email, 'Confirm your email');
  const body = { token: tokenIn(link) };
  await collect(context, ['verifyEmail', 'anonymous'], ['POST', '/api/email/verify', { body }]);
  await collect(context, ['email', 'user'], ['GET', '/api/email', { token }]);
  const other = await register(system);
  const enter = { token: other.token, body: { code: await mailedCode(system, other.email, WELCOME) } };
  await collect(context, ['verifyEmailCode', 'user'], ['POST', '/api/email/verify-code', enter]);
};

/** A change of the address by the code of one mail, and its undo, after a request that is canceled and one that a link confirms. */
const collectEmailChange = async ({ system, responses, admin }: Context): Promise<void> => {
  const user = await register(system);
  const { token } = user;
  const context = { system, responses, admin, user };
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  const anonymous = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'anonymous'];
  const path = '/api/email/change';
  await confirmEmail(system, user);
  const email = `new-${user.email}`;
  await collect(context, as('requestEmailChange'), ['POST', path, { token, body: { email } }]);
  const code = await mailedCode(system, email, 'Confirm your new email');
  const confirm = { token, body: { code } };
  await collect(context, as('confirmEmailChangeCode'), ['POST', `${path}/confirm-code`, confirm]);
  const undo = { body: { token: tokenIn(await mailedLink(system, user.email, 'Your email was changed')) } };
  await collect(context, anonymous('checkEmailUndo'), ['POST', '/api/email/undo/check', undo]);
  await collect(context, anonymous('undoEmailChange'), ['POST', '/api/email/undo', undo]);

  const other = await register(system);
  const request = { token: other.token, body: { email: `new-${other.email}` } };
  await collect(context, as('requestEmailChange'), ['POST', path, request]);
  const link = await mailedLink(system, request.body.email, 'Confirm your new email');
  const confirmLink = { body: { token: tokenIn(link) } };
  await collect(context, anonymous('confirmEmailChange'), ['POST', `${path}/confirm`, confirmLink]);

  const third = await register(system);
  await collect(context, as('resendEmailChange'), ['POST', `${path}/resend`, { token: third.token }]);
  await collect(context, as('cancelEmailChange'), ['DELETE', path, { token: third.token }]);
};

/** Sets up two-step verification and returns the recovery codes. */
const collectSetUp = async (context: Context): Promise<string[]> => {
  const { token } = context.user;
  const post = (endpoint: Endpoint, path: string, body: object = {}) =>
    collect(context, [endpoint, 'user'], ['POST', `/api/factors${path}`, { token, body }]);
  const started = await post('startTotp', '/totp');
  const { secret } = started.body['data'] as { secret: string };
  const confirmed = await post('confirmTotp', '/totp/confirm', { code: totpCode(secret) });
  await collect(context, ['factors', 'user'], ['GET', '/api/factors', { token }]);
  return (confirmed.body['data'] as { recoveryCodes: string[] }).recoveryCodes;
};

/** Leaves the user with two-step verification, which an admin removes. */
const collectFactors = async (context: Context, password: string): Promise<void> => {
  const { user, system } = context;
  const { token, email } = user;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  await collect(context, as('reauthentication'), ['POST', '/api/session/reauthentication', { token }]);
  await collect(context, as('reauthenticate'), [
    'POST',
    '/api/session/reauthenticate',
    { token, body: { password } },
  ]);
  await collectSetUp(context);
  await collect(context, as('renewRecoveryCodes'), ['POST', '/api/factors/recovery-codes', { token }]);
  await collect(context, as('removeTotp'), ['DELETE', '/api/factors/totp', { token }]);
  const [recoveryCode] = await collectSetUp(context);
  const first = await callApi<{ data: { ticket: string } }>(`${system.publicUrl}/login`, 'POST', {
    body: { email, password },
  });
  const { ticket } = first.body.data;
  await collect(context, as('secondFactor'), [
    'POST',
    '/api/login/second-factor',
    { body: { ticket, recoveryCode, remember: true } },
  ]);
  const { body } = await collect(context, as('listTrustedDevices'), ['GET', TRUSTED_DEVICES, { token }]);
  const path = `${TRUSTED_DEVICES}/${(body['data'] as TrustedDeviceView[])[0]?.id}`;
  await collect(context, as('removeTrustedDevice'), ['DELETE', path, { token }]);
};

const NEW_PASSWORD = 'yet another long one';

/** A change and a reset of the password, which ends the user's sessions. */
const collectPasswords = async (context: Context & { password: string }): Promise<void> => {
  const { system, user, password: currentPassword } = context;
  const anonymous = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'anonymous'];
  const change = { token: user.token, body: { currentPassword, password: 'another long one' } };
  await collect(context, ['changePassword', 'user'], ['PUT', '/api/password', change]);
  await collectEmail(context);
  await collectEmailChange(context);
  const forgot = { body: { email: user.email } };
  await collect(context, anonymous('forgotPassword'), ['POST', '/api/password/forgot', forgot]);
  const token = tokenIn(await mailedLink(system, user.email, 'Set a new password'));
  await collect(context, anonymous('checkReset'), ['POST', '/api/password/reset/check', { body: { token } }]);
  const reset = { body: { token, password: NEW_PASSWORD } };
  await collect(context, anonymous('resetPassword'), ['POST', '/api/password/reset', reset]);
};

/** Disputes the latest payment at the bank, for an account that is paid out in euros, and waits until that raised an alert. */
const raiseAlert = async ({ sandboxUrl, secrets, publicUrl }: System, token: string): Promise<void> => {
  const key = secrets.STRIPE_SECRET_KEY;
  const charges = await callApi<{ data: { id: string }[] }>(`${sandboxUrl}/v1/charges?limit=1`, 'GET', {
    token: key,
  });
  const setSettlement = (body: object) => callApi(`${sandboxUrl}/_sandbox/settings`, 'PUT', { body });
  await setSettlement({ settlementCurrency: 'eur', exchangeRate: 0.9 });
  await callApi(`${sandboxUrl}/_sandbox/charges/${charges.body.data[0]?.id}/dispute`, 'POST', { body: {} });
  await setSettlement({ settlementCurrency: null, exchangeRate: null });
  await until('the alert', async () => {
    const { body } = await callApi<{ data: SystemView }>(`${publicUrl}/api/admin/system`, 'GET', { token });
    return body.data.alerts.length > 0;
  });
};

const collectAsAdmin = async (context: Context): Promise<void> => {
  const { user, admin: token } = context;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'admin'];
  const { email: _email, password: _password, ...fields } = newUser();
  await collect(context, as('signup'), ['POST', '/signup', { token, body: formOf(newUser()) }]);
  await collect(context, as('updateUser'), ['PUT', `/users/${user.id}`, { token, body: formOf(fields) }]);
  await collect(context, as('grantPlan'), ['PUT', `/admin/user-payment/${user.id}`, { token }]);
  await collect(context, as('revokePlan'), [
    'PUT',
    `/admin/unsubscribe/${user.id}`,
    { token, body: { reason: 'Paid twice' } },
  ]);
  await collect(context, as('checkAdmin'), ['GET', '/check_authentication', { token }]);
  await collect(context, as('listUsers'), ['GET', '/users', { token }]);
  await collect(context, as('userTotals'), ['GET', '/api/users/totals', { token }]);
  await collect(context, as('newestUsers'), ['GET', '/api/users/newest', { token }]);
  await collect(context, as('getUser'), ['GET', `/api/users/${user.id}`, { token }]);
  await collect(context, as('userFactors'), ['GET', `/api/users/${user.id}/factors`, { token }]);
  await collect(context, as('removeUserFactors'), [
    'POST',
    `/api/users/${user.id}/factors/remove`,
    { token, body: { reason: 'Lost the phone' } },
  ]);
  const view = { token, body: { reason: 'The price looks wrong' } };
  await collect(context, as('startViewing'), ['POST', `/api/users/${user.id}/view`, view]);
  await raiseAlert(context.system, token);
  await collect(context, as('earnings'), ['GET', '/api/admin/earnings?period=week', { token }]);
  const system = await collect(context, as('system'), ['GET', '/api/admin/system', { token }]);
  const [alert] = (system.body['data'] as SystemView).alerts;
  const resolve = `/api/admin/alerts/${encodeURIComponent(alert?.id ?? '')}/resolve`;
  await collect(context, as('resolveAlert'), ['POST', resolve, { token }]);
  const audit = `/api/admin/audit?targetId=${user.id}`;
  await collect(context, as('audit'), ['GET', audit, { token }]);
  const sessions = `/api/users/${user.id}/sessions`;
  await collect(context, as('listUserSignIns'), ['GET', `/api/users/${user.id}/sign-ins`, { token }]);
  await collect(context, as('countUserSessions'), ['GET', sessions, { token }]);
  await collect(context, as('endUserSessions'), ['DELETE', sessions, { token }]);
  await collect(context, as('deleteUser'), ['DELETE', `/users/${user.id}`, { token }]);
  await collect(context, as('refusal'), ['GET', `/api/users/${user.id}`, { token }]);
};

/** With a user of its own, who is logged out by the request. */
const collectPrivacy = async (
  { system, responses }: Pick<Context, 'system' | 'responses'>,
  admin: string,
) => {
  const user = newUser();
  await signUp(system, user);
  const { id, token } = await logIn(system, user);
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  const context = { system, responses };
  await collect(context, as('requestDataExport'), ['POST', '/api/privacy/export', { token }]);
  await until('the export', async () => {
    const { body } = await callApi(`${system.publicUrl}/api/privacy/export`, 'GET', { token });
    return JSON.stringify(body).includes('"ready"');
  });
  await collect(context, as('dataExport'), ['GET', '/api/privacy/export', { token }]);
  await collect(context, as('removeDataExport'), ['DELETE', '/api/privacy/export', { token }]);
  const body = { email: user.email, subscription: 'keep' };
  await collect(context, as('requestDeletion'), ['POST', '/api/privacy/deletion', { token, body }]);
  await collect(context, ['userDeletion', 'admin'], ['GET', `/api/users/${id}/deletion`, { token: admin }]);
  const again = { token: (await logIn(system, user)).token };
  await collect(context, as('deletion'), ['GET', '/api/privacy/deletion', again]);
  await collect(context, as('keepAccount'), ['DELETE', '/api/privacy/deletion', again]);
};

/** Calls every endpoint that returns JSON, as each role that may call it. */
export const collectResponses = async (system: System): Promise<CollectedResponse[]> => {
  const responses: CollectedResponse[] = [];
  await collectAsAnonymous({ system, responses });
  const user = newUser();
  await signUp(system, user);
  const login = { body: { email: user.email, password: user.password } };
  await collect({ system, responses }, ['login', 'user'], ['POST', '/login', login]);
  await collect(
    { system, responses },
    ['adminLogin', 'admin'],
    ['POST', '/super-admin-authentication', { body: system.admin }],
  );
  const context = { system, responses, user: await logIn(system, user), admin: await logInAdmin(system) };
  await collectAsUser(context);
  const { token } = await logIn(system, user);
  await collectSessions(context, 'user', { token, other: context.user.token });
  await collectPasswords({ ...context, user: await logIn(system, user), password: user.password });
  const changed = { ...user, password: NEW_PASSWORD };
  await collectFactors({ ...context, user: await logIn(system, changed) }, NEW_PASSWORD);
  await collectPrivacy(context, context.admin);
  await collectAsAdmin(context);
  await collectTeam(system, context.admin, (endpoint, request) => collect(context, endpoint, request));
  await collectSessions(context, 'admin', { token: context.admin, other: await logInAdmin(system) });
  await collect(
    { system, responses },
    ['logout', 'user'],
    ['POST', '/api/logout', { token: context.user.token }],
  );
  return responses;
};
