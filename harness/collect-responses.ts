import type { IntervalPreview, InvoiceView } from '@shortlist/contracts/api/billing';
import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeviceView, TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import {
  type ApiRequest,
  type ApiResponse,
  buyPackAtProvider,
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
import { type Collect, type Endpoint, formOf, type Role } from './collect.ts';
import { collectAsAdmin } from './collect-admin.ts';
import { collectTeam } from './collect-team.ts';
import { collectTools } from './collect-tools.ts';
import { totpCode } from './totp.ts';

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

const collectPayment = async (context: Context): Promise<void> => {
  const { system, user } = context;
  const { token } = user;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  await collect(context, as('subscribe'), ['GET', '/subscribe', { token }]);
  const xsl = await payAtProvider(system, user);
  await collect(context, as('confirmPayment'), ['PUT', '/user-payment', { token, body: { xsl } }]);
  const checked = await collect(context, as('checkUser'), ['GET', '/authentication_check', { token }]);
  const { stripe_customer_id: customer } = checked.body['user'] as { stripe_customer_id: string };
  await collect(context, as('billingPortal'), ['GET', `/customers/${customer}`, { token }]);
  await collect(context, as('subscription'), ['GET', '/api/subscription', { token }]);
  const canceled = { token, body: { when: 'period_end' } };
  await collect(context, as('cancelPlan'), ['POST', '/api/subscription/cancel', canceled]);
  await collect(context, as('resumePlan'), ['POST', '/api/subscription/resume', { token }]);
  const interval = '/api/subscription/interval';
  const shown = await collect(context, as('previewInterval'), [
    'POST',
    `${interval}/preview`,
    { token, body: { interval: 'year' } },
  ]);
  const { amount, currency, prorationAt } = shown.body['data'] as IntervalPreview;
  const confirmed = { interval: 'year', amount, currency, prorationAt };
  await collect(context, as('changeInterval'), ['POST', interval, { token, body: confirmed }]);
  const back = await collect(context, as('previewInterval'), [
    'POST',
    `${interval}/preview`,
    { token, body: { interval: 'month' } },
  ]);
  const { amount: none, prorationAt: at } = back.body['data'] as IntervalPreview;
  const toMonth = { interval: 'month', amount: none, currency, prorationAt: at };
  await collect(context, as('changeInterval'), ['POST', interval, { token, body: toMonth }]);
  await collect(context, as('keepInterval'), ['POST', `${interval}/keep`, { token }]);
  await collect(context, as('refreshPlan'), ['POST', '/api/subscription/refresh', { token }]);
  const { body } = await collect(context, as('invoices'), ['GET', '/api/invoices', { token }]);
  const [invoice] = body['data'] as InvoiceView[];
  const file = `/api/invoices/${invoice?.invoiceId}/file`;
  await collect(context, as('openInvoiceFile'), ['GET', file, { token }]);
};

const collectPacks = async (context: Context): Promise<void> => {
  const { system, user } = context;
  const { token } = user;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  await collect(context, as('buyPack'), ['POST', '/api/credits/packs/checkout', { token }]);
  const xsl = await buyPackAtProvider(system, user);
  const path = '/api/credits/packs/payment';
  await collect(context, as('confirmPack'), ['PUT', path, { token, body: { xsl } }]);
  await collect(context, as('creditPacks'), ['GET', '/api/credits/packs', { token }]);
};

/** Credits that are charged, some of which a part is committed and some that are released. */
const collectCredits = async (context: Context): Promise<void> => {
  const { token } = context.user;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  const spend = (key: string) => ({
    token,
    headers: { 'idempotency-key': key },
    body: { reason: 'email_found', reference: `linkedin.com/in/${key}`, amount: 2 },
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
      { token, ...(end === 'commit' ? { body: { amount: 1 } } : {}) },
    ]);
  }
  await collect(context, as('credits'), ['GET', '/api/credits', { token }]);
  await collect(context, as('creditsHistory'), [
    'GET',
    '/api/credits/history?client=browser&from=2026-01-01&returns=joined',
    { token },
  ]);
  await collect(context, as('creditsUsage'), ['GET', '/api/credits/usage', { token }]);
  const off = { token, body: { enabled: false } };
  await collect(context, as('setCreditMails'), ['PUT', '/api/credits/mails', off]);
  await collect(context, as('setNewsMails'), ['PUT', '/api/email/news', off]);
  await collect(context, as('currentNotices'), ['GET', '/api/notices', { token }]);
};

const collectAsUser = async (context: Context): Promise<void> => {
  const { id, token } = context.user;
  await collectPayment(context);
  await collectPacks(context);
  await collectCredits(context);
  await collectTools({
    ...context,
    token,
    collect: (endpoint, request) => collect(context, endpoint, request),
  });
  const { email: _email, password: _password, ...fields } = newUser();
  const update = { token, body: formOf(fields) };
  await collect(context, ['updateUser', 'user'], ['PUT', `/users/${id}`, update]);
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
  await collect(context, ['retryEmail', 'user'], ['POST', '/api/email/retry', { token }]);
  const other = await register(system);
  const enter = { token: other.token, body: { code: await mailedCode(system, other.email, WELCOME) } };
  await collect(context, ['verifyEmailCode', 'user'], ['POST', '/api/email/verify-code', enter]);
};

const EMAIL_CHANGE = '/api/email/change';

/** A change of a confirmed address by the code of a mail, and its undo. */
const collectUndoneEmailChange = async (context: Context): Promise<void> => {
  const { system } = context;
  const user = await register(system);
  const { token } = user;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  const anonymous = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'anonymous'];
  await confirmEmail(system, user);
  const email = `new-${user.email}`;
  await collect(context, as('requestEmailChange'), ['POST', EMAIL_CHANGE, { token, body: { email } }]);
  const code = await mailedCode(system, email, 'Confirm your new email');
  const confirm = { token, body: { code } };
  await collect(context, as('confirmEmailChangeCode'), ['POST', `${EMAIL_CHANGE}/confirm-code`, confirm]);
  const link = { token: tokenIn(await mailedLink(system, user.email, 'Your email was changed')) };
  await collect(context, anonymous('checkEmailUndo'), ['POST', '/api/email/undo/check', { body: link }]);
  const undo = { body: { ...link, password: 'mine again today' } };
  await collect(context, anonymous('undoEmailChange'), ['POST', '/api/email/undo', undo]);
};

/** A change of the address by the link of a mail, and one that is canceled. */
const collectEmailChange = async (context: Context): Promise<void> => {
  const { system } = context;
  const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'user'];
  const { email, token } = await register(system);
  const request = { token, body: { email: `new-${email}` } };
  await collect(context, as('requestEmailChange'), ['POST', EMAIL_CHANGE, request]);
  const link = await mailedLink(system, request.body.email, 'Confirm your new email');
  const confirmLink = { body: { token: tokenIn(link) } };
  await collect(
    context,
    ['confirmEmailChange', 'anonymous'],
    ['POST', `${EMAIL_CHANGE}/confirm`, confirmLink],
  );
  const other = { token: (await register(system)).token };
  await collect(context, as('resendEmailChange'), ['POST', `${EMAIL_CHANGE}/resend`, other]);
  await collect(context, as('cancelEmailChange'), ['DELETE', EMAIL_CHANGE, other]);
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
  await collectUndoneEmailChange(context);
  await collectEmailChange(context);
  const forgot = { body: { email: user.email } };
  await collect(context, anonymous('forgotPassword'), ['POST', '/api/password/forgot', forgot]);
  const token = tokenIn(await mailedLink(system, user.email, 'Set a new password'));
  await collect(context, anonymous('checkReset'), ['POST', '/api/password/reset/check', { body: { token } }]);
  const reset = { body: { token, password: NEW_PASSWORD } };
  await collect(context, anonymous('resetPassword'), ['POST', '/api/password/reset', reset]);
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

type LogIn = { email: string; password: string };

const collectLogIns = async (
  context: Pick<Context, 'system' | 'responses'>,
  { email, password }: LogIn,
): Promise<void> => {
  const { admin } = context.system;
  await collect(context, ['login', 'user'], ['POST', '/login', { body: { email, password } }]);
  await collect(context, ['adminLogin', 'admin'], ['POST', '/super-admin-authentication', { body: admin }]);
};

/** The endpoints of a user, who has another password at the end. */
const collectUser = async (context: Context, newcomer: ReturnType<typeof newUser>): Promise<void> => {
  const { system } = context;
  const again = () => logIn(system, newcomer);
  await collectAsUser(context);
  await collectSessions(context, 'user', { token: (await again()).token, other: context.user.token });
  await collectPasswords({ ...context, user: await again(), password: newcomer.password });
  const user = await logIn(system, { ...newcomer, password: NEW_PASSWORD });
  await collectFactors({ ...context, user }, NEW_PASSWORD);
  await collectPrivacy(context, context.admin);
};

/** The reads without parameters that no other step has called: a new one needs no line here. */
const collectOtherReads = async (context: Context): Promise<void> => {
  const called = new Set(context.responses.map(({ endpoint }) => endpoint));
  const { token } = await register(context.system);
  const endpoints = Object.entries<PublicEndpoint<never, unknown>>(publicEndpoints);
  for (const [name, { method, path, to, replySchema }] of endpoints) {
    const endpoint = name as Endpoint;
    if (method !== 'GET' || path.includes(':') || replySchema === null || called.has(endpoint)) continue;
    if (to === 'users') await collect(context, [endpoint, 'user'], ['GET', path, { token }]);
    if (to === 'admins') await collect(context, [endpoint, 'admin'], ['GET', path, { token: context.admin }]);
  }
};

/** Calls every endpoint that returns JSON, as each role that may call it. */
export const collectResponses = async (system: System): Promise<CollectedResponse[]> => {
  const responses: CollectedResponse[] = [];
  await collectAsAnonymous({ system, responses });
  const newcomer = newUser();
  await signUp(system, newcomer);
  await collectLogIns({ system, responses }, newcomer);
  const user = await logIn(system, newcomer);
  const admin = await logInAdmin(system);
  const context = { system, responses, user, admin };
  const add: Collect = (endpoint, request) => collect(context, endpoint, request);
  await collectUser(context, newcomer);
  await collectAsAdmin({ system, user, token: admin, collect: add });
  await collectTeam(system, admin, add);
  await collectSessions(context, 'admin', { token: admin, other: await logInAdmin(system) });
  await collectOtherReads(context);
  await add(['logout', 'user'], ['POST', '/api/logout', { token: user.token }]);
  return responses;
};
