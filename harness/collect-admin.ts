import { randomUUID } from 'node:crypto';
import type { SystemView } from '@shortlist/contracts/api/billing';
import type { NamedJob } from '@shortlist/contracts/api/bulk';
import type { PaymentDetail, PaymentRow } from '@shortlist/contracts/api/payments';
import type { UserDeviceView } from '@shortlist/contracts/api/sessions';
import type { ConsumerName, StripeEventView } from '@shortlist/contracts/api/system';
import { dayOf, days } from '@shortlist/contracts/durations';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { deadLetterOf, deadLetterTopic, listDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { openBus } from './broker.ts';
import { callApi, newUser } from './client.ts';
import { type Collect, type Endpoint, formOf, type Role } from './collect.ts';

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

type Context = { system: System; user: { id: string }; token: string; collect: Collect };

const as = (endpoint: Endpoint): [Endpoint, Role] => [endpoint, 'admin'];

/** Credits that an admin gives and takes back. */
const collectGrant = async ({ user, token, collect }: Omit<Context, 'system'>): Promise<void> => {
  const grant = `/api/users/${user.id}/credit-grants/${randomUUID()}`;
  const lastDay = dayOf(new Date(Date.now() + days(30)));
  const given = { credits: 50, lastDay, reason: 'The import lost a day' };
  await collect(as('grantCredits'), ['PUT', grant, { token, body: given }]);
  await collect(as('userBuckets'), ['GET', `/api/users/${user.id}/buckets`, { token }]);
  await collect(as('revokeCredits'), ['DELETE', grant, { token }]);
  const history = `/api/users/${user.id}/credits/history`;
  await collect(as('userCreditsHistory'), ['GET', history, { token }]);
};

/** What the admin notes about a user. */
const collectNotes = async ({ user, token, collect }: Omit<Context, 'system'>): Promise<void> => {
  const path = `/api/users/${user.id}/notes`;
  const note = `${path}/${randomUUID()}`;
  await collect(as('addNote'), ['PUT', note, { token, body: { text: 'Asked for an invoice\nby mail' } }]);
  await collect(as('userNotes'), ['GET', path, { token }]);
  await collect(as('removeNote'), ['DELETE', note, { token }]);
};

/** A notice above the pages of users. */
const collectNotices = async ({ token, collect }: Pick<Context, 'token' | 'collect'>): Promise<void> => {
  const path = '/api/admin/notices';
  const notice = `${path}/${randomUUID()}`;
  const body = {
    ...{ audience: 'everyone', tone: 'info', text: 'We moved', linkLabel: 'See how', linkTo: '/credits' },
    from: new Date(Date.now() - days(1)).toISOString(),
    until: new Date(Date.now() + days(1)).toISOString(),
  };
  await collect(as('createNotice'), ['PUT', notice, { token, body }]);
  await collect(as('notices'), ['GET', path, { token }]);
  await collect(as('changeNotice'), [
    'POST',
    notice,
    { token, body: { ...body, text: 'We have moved', version: 1 } },
  ]);
  await collect(as('endNotice'), ['POST', `${notice}/end`, { token }]);
};

/** What an admin does with the account and the plan of a user. */
const collectSupport = async ({ user, token, collect }: Context): Promise<void> => {
  const { email: _email, password: _password, ...fields } = newUser();
  await collect(as('signup'), ['POST', '/signup', { token, body: formOf(newUser()) }]);
  await collect(as('updateUser'), ['PUT', `/users/${user.id}`, { token, body: formOf(fields) }]);
  await collect(as('grantPlan'), ['PUT', `/admin/user-payment/${user.id}`, { token }]);
  const unsubscribe = `/admin/unsubscribe/${user.id}`;
  await collect(as('revokePlan'), ['PUT', unsubscribe, { token, body: { when: 'period_end' } }]);
  await collect(as('resumeUserPlan'), ['POST', `/api/users/${user.id}/subscription/resume`, { token }]);
  await collect(as('revokePlan'), ['PUT', unsubscribe, { token, body: { reason: 'Paid twice' } }]);
  await collectGrant({ user, token, collect });
  await collectNotes({ user, token, collect });
  await collect(as('getUser'), ['GET', `/api/users/${user.id}`, { token }]);
  await collect(as('userProfile'), ['GET', `/api/users/${user.id}/profile`, { token }]);
  await collect(as('accountStatus'), ['GET', `/api/users/${user.id}/status`, { token }]);
  await collect(as('retryUserEmail'), ['POST', `/api/users/${user.id}/email/retry`, { token }]);
  const devices = `/api/users/${user.id}/devices`;
  const listed = await collect(as('listUserDevices'), ['GET', devices, { token }]);
  const [device] = listed.body['data'] as UserDeviceView[];
  await collect(as('endUserDevice'), ['DELETE', `${devices}/${device?.id}`, { token }]);
  await collect(as('userFactors'), ['GET', `/api/users/${user.id}/factors`, { token }]);
  await collect(as('removeUserFactors'), [
    'POST',
    `/api/users/${user.id}/factors/remove`,
    { token, body: { reason: 'Lost the phone' } },
  ]);
  const view = { token, body: { reason: 'The price looks wrong' } };
  await collect(as('startViewing'), ['POST', `/api/users/${user.id}/view`, view]);
};

/** What an admin reads and changes of the own account. */
const collectOwn = async ({ token, collect }: Pick<Context, 'token' | 'collect'>): Promise<void> => {
  await collect(as('checkAdmin'), ['GET', '/check_authentication', { token }]);
  await collect(as('ownAdmin'), ['GET', '/api/admin/me', { token }]);
  await collect(as('renameOwnAdmin'), ['PUT', '/api/admin/me', { token, body: { name: 'Root' } }]);
};

/** A job that is paused before it has ended: worker goes on with its jobs every two seconds, so that one may be too fast. */
const pauseNewJob = async ({ system, user, token }: Context): Promise<string> => {
  const order = {
    kind: 'message',
    reason: 'Maintenance',
    ids: user.id,
    subject: 'Sunday',
    text: 'We update.',
  };
  for (;;) {
    const path = `/api/admin/jobs/${randomUUID()}`;
    await callApi(`${system.publicUrl}${path}`, 'PUT', { token, body: order });
    const paused = await callApi(`${system.publicUrl}${path}/pause`, 'POST', { token });
    if (paused.status === 200) return path;
  }
};

/** Changes of many users: one is granted and taken back, others are paused, continued and canceled. */
const collectJobs = async (context: Context): Promise<void> => {
  const { system, user, token, collect } = context;
  const path = `/api/admin/jobs/${randomUUID()}`;
  const lastDay = new Date(Date.now() + days(100)).toISOString();
  const body = { kind: 'grant', reason: 'A week without service', ids: user.id, until: lastDay };
  await collect(as('createBulkJob'), ['PUT', path, { token, body }]);
  await until('the end of the job', async () => {
    const { body: read } = await callApi<{ data: NamedJob }>(`${system.publicUrl}${path}`, 'GET', { token });
    return read.data.state === 'done';
  });
  await collect(as('bulkJob'), ['GET', path, { token }]);
  await collect(as('bulkItems'), ['GET', `${path}/items`, { token }]);
  await collect(as('undoBulkJob'), ['POST', `${path}/undo`, { token }]);
  const [paused, canceled] = [await pauseNewJob(context), await pauseNewJob(context)];
  await collect(as('pauseBulkJob'), ['POST', `${paused}/pause`, { token }]);
  await collect(as('continueBulkJob'), ['POST', `${paused}/continue`, { token }]);
  await collect(as('cancelBulkJob'), ['POST', `${canceled}/cancel`, { token }]);
  await collect(as('bulkJobs'), ['GET', '/api/admin/jobs', { token }]);
};

/** The payments: one is disputed, and of another a part is refunded. */
const collectPayments = async ({ token, collect }: Pick<Context, 'token' | 'collect'>): Promise<void> => {
  const path = '/api/admin/payments';
  const list = await collect(as('payments'), ['GET', path, { token }]);
  await collect(as('paymentTotals'), ['GET', `${path}/totals`, { token }]);
  const rows = list.body['data'] as PaymentRow[];
  const read = async (isOne: (row: PaymentRow) => boolean): Promise<PaymentDetail> => {
    const one = `${path}/${rows.find(isOne)?.invoiceId}`;
    return (await collect(as('payment'), ['GET', one, { token }])).body['data'] as PaymentDetail;
  };
  const { invoiceId: disputed, disputes } = await read(({ state }) => state === 'disputed');
  const note = { token, body: { note: 'The evidence is with the bank' } };
  await collect(as('noteDispute'), [
    'POST',
    `${path}/${disputed}/disputes/${disputes[0]?.disputeId}/notes`,
    note,
  ]);
  const { invoiceId, left } = await read(({ state }) => state === 'paid');
  const headers = { 'idempotency-key': randomUUID() };
  const refund = { token, headers, body: { amount: 100, left, reason: 'Not used' } };
  await collect(as('refundPayment'), ['POST', `${path}/${invoiceId}/refunds`, refund]);
  const { invoiceId: ofPlan } = await read(({ credits }) => credits === null);
  await collect(as('sendReceipt'), ['POST', `${path}/${ofPlan}/receipt`, { token }]);
};

/** The reports of this year. */
const collectRevenue = async ({ token, collect }: Pick<Context, 'token' | 'collect'>): Promise<void> => {
  const path = '/api/admin/revenue';
  const year = new Date().getUTCFullYear();
  const range = `from=${year}-01-01&to=${year}-12-31`;
  await collect(as('revenue'), ['GET', `${path}?${range}&compare=year`, { token }]);
  await collect(as('revenuePeriods'), ['GET', `${path}/periods?${range}&step=month`, { token }]);
  await collect(as('retention'), ['GET', `${path}/retention`, { token }]);
  await collect(as('revenueEntries'), ['GET', `${path}/entries?${range}&kind=payment`, { token }]);
  await collect(as('revenueSubscribers'), ['GET', `${path}/subscribers`, { token }]);
};

/** Publishes a dead letter of an event that nobody consumes, so that its replay has no effect. Returns its address. */
const deadLetter = async (bus: Bus, consumer: ConsumerName): Promise<string> => {
  const event = { id: randomUUID(), type: 'harness.NothingHappened.v1', subject: randomUUID(), data: {} };
  const message = { key: event.subject, value: JSON.stringify(event), partition: 0, offset: '0' };
  await bus.publish(deadLetterTopic(consumer), [
    deadLetterOf({ ...message, topic: 'identity.events' }, 'Nothing happened'),
  ]);
  const letters = await listDeadLetters(bus, consumer);
  const position = letters.find(({ id }) => id === event.id)?.position ?? '';
  return `/api/admin/system/dead-letters/${consumer}/${encodeURIComponent(position)}`;
};

/** What failed, and what an owner does about it. */
const collectSystem = async ({ system, token, collect }: Omit<Context, 'user'>): Promise<void> => {
  const path = '/api/admin/system';
  await collect(as('systemStatus'), ['GET', `${path}/status`, { token }]);
  await collect(as('failedJobs'), ['GET', `${path}/jobs`, { token }]);
  const events = `${path}/stripe-events`;
  const list = await collect(as('stripeEvents'), ['GET', `${events}?state=done`, { token }]);
  const [event] = list.body['data'] as StripeEventView[];
  await collect(as('stripeEvent'), ['GET', `${events}/${event?.eventId}`, { token }]);
  await collect(as('replayStripeEvent'), ['POST', `${events}/${event?.eventId}/replay`, { token }]);
  await collect(as('replayStripeEvents'), ['POST', `${events}/replay`, { token }]);
  const bus = openBus(system.backing.kafkaBrokers);
  const [replayed, discarded] = [await deadLetter(bus, 'credits'), await deadLetter(bus, 'profile')];
  await bus.close();
  await collect(as('deadLetters'), ['GET', `${path}/dead-letters`, { token }]);
  await collect(as('deadLetter'), ['GET', replayed, { token }]);
  await collect(as('replayDeadLetter'), ['POST', `${replayed}/replay`, { token }]);
  const body = { reason: 'Nothing happened' };
  await collect(as('discardDeadLetter'), ['POST', `${discarded}/discard`, { token, body }]);
};

/** The list of users, and the pages about the whole product. */
const collectOperations = async (context: Context): Promise<void> => {
  const { system, user, token, collect } = context;
  await collectJobs(context);
  const filter = `/api/admin/filters/${randomUUID()}`;
  const saved = { name: 'Free in Norway', query: { plan: 'free', country: 'Norway' } };
  await collect(as('saveFilter'), ['PUT', filter, { token, body: saved }]);
  await collect(as('savedFilters'), ['GET', '/api/admin/filters', { token }]);
  await collect(as('removeFilter'), ['DELETE', filter, { token }]);
  await collectOwn({ token, collect });
  await collectNotices({ token, collect });
  await collect(as('listUsers'), ['GET', '/users', { token }]);
  await collect(as('userActivity'), ['GET', `/api/users/activity?ids=${user.id}`, { token }]);
  await collect(as('userTotals'), ['GET', '/api/users/totals', { token }]);
  await collect(as('newestUsers'), ['GET', '/api/users/newest', { token }]);
  await raiseAlert(system, token);
  await collect(as('earnings'), ['GET', '/api/admin/earnings?period=week', { token }]);
  await collectPayments({ token, collect });
  await collectRevenue({ token, collect });
  const emails = '/api/admin/emails';
  await collect(as('exampleMails'), ['GET', emails, { token }]);
  await collect(as('exampleMail'), ['GET', `${emails}/welcome`, { token }]);
  await collect(as('sendExampleMail'), ['POST', `${emails}/welcome/send`, { token }]);
  const page = await collect(as('system'), ['GET', '/api/admin/system', { token }]);
  const [alert] = (page.body['data'] as SystemView).alerts;
  const path = `/api/admin/alerts/${encodeURIComponent(alert?.id ?? '')}`;
  const body = { note: 'Answered at the bank' };
  await collect(as('resolveAlert'), ['POST', `${path}/resolve`, { token, body }]);
  await collect(as('reopenAlert'), ['POST', `${path}/reopen`, { token, body }]);
  await collectSystem({ system, token, collect });
  const audit = `/api/admin/audit?targetId=${user.id}`;
  await collect(as('audit'), ['GET', audit, { token }]);
  await collect(as('timeline'), ['GET', `/api/users/${user.id}/timeline?limit=100`, { token }]);
};

/** The sessions of a user, and the end of the account. */
const collectEnd = async ({ user, token, collect }: Context): Promise<void> => {
  const sessions = `/api/users/${user.id}/sessions`;
  await collect(as('listUserSignIns'), ['GET', `/api/users/${user.id}/sign-ins`, { token }]);
  await collect(as('endUserSessions'), ['DELETE', sessions, { token }]);
  await collect(as('deleteUser'), ['DELETE', `/users/${user.id}`, { token }]);
  await collect(as('refusal'), ['GET', `/api/users/${user.id}`, { token }]);
};

/** The endpoints of an admin about users and the product. The user is deleted at the end. */
export const collectAsAdmin = async (context: Context): Promise<void> => {
  await collectSupport(context);
  await collectOperations(context);
  await collectEnd(context);
};
