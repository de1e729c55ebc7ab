import { randomBytes } from 'node:crypto';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { ChargeResult, Reservation } from '@shortlist/contracts/api/credits';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { until } from '@shortlist/kit/testing/until';
import type { Installation } from '@shortlist/local/system';

export type ApiResponse<Body = Record<string, unknown>> = { status: number; body: Body; headers: Headers };
/** What a user of the product reaches. */
export type Addresses = Pick<Installation, 'publicUrl' | 'sandboxUrl'>;
type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };
export type ApiRequest = [method: string, path: string, more?: CallOptions];

/** Calls an endpoint as an API client does, without cookies. */
export const callApi = async <Body = Record<string, unknown>>(
  url: string,
  method: string,
  { token, body, headers }: CallOptions = {},
): Promise<ApiResponse<Body>> => {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Body,
    headers: response.headers,
  };
};

export const newUser = (change: Partial<SignupInput> = {}): SignupInput => ({
  email: `user-${randomBytes(6).toString('hex')}@talentfield.io`,
  password: 'a long enough one',
  ...exampleProfile({ firstName: 'Amara', lastName: 'Okafor', country: 'Nigeria', city: 'Lagos' }),
  ...change,
});

export const signUp = (
  system: Addresses,
  user: SignupInput,
): Promise<ApiResponse<{ data: { id: string } }>> => {
  const body = new FormData();
  body.set('userData', JSON.stringify(user));
  return callApi(`${system.publicUrl}/signup`, 'POST', { body });
};

export type UserSession = { id: string; token: string; email: string };

export const logIn = async (system: Addresses, { email, password }: SignupInput): Promise<UserSession> => {
  const { body } = await callApi<{ data: { token: string; user: UserView } }>(
    `${system.publicUrl}/login`,
    'POST',
    {
      body: { email, password },
    },
  );
  return { id: body.data.user.id, token: body.data.token, email };
};

/** Signs up a new user and logs in. */
export const register = async (
  system: Addresses,
  change: Partial<SignupInput> = {},
): Promise<UserSession> => {
  const user = newUser(change);
  const { status } = await signUp(system, user);
  if (status !== 201) throw new Error(`sign-up returned ${status}`);
  return logIn(system, user);
};

export const logInAdmin = async ({ publicUrl, admin }: Installation): Promise<string> => {
  const { body } = await callApi<{ credentials: { token: string } }>(
    `${publicUrl}/super-admin-authentication`,
    'POST',
    { body: admin },
  );
  return body.credentials.token;
};

type CheckoutReply = { status: number; body: { url: string } };

export const openCheckout = (system: Addresses, user: UserSession): Promise<CheckoutReply> =>
  callApi(`${system.publicUrl}/subscribe?email=${user.email}`, 'GET', { token: user.token });

/** Pays an opened checkout at the provider. Returns the id of the checkout session. */
export const payCheckout = async (
  { sandboxUrl }: Addresses,
  { status, body }: CheckoutReply,
  card = '4242424242424242',
): Promise<string> => {
  if (status !== 200) throw new Error(`the checkout returned ${status} ${JSON.stringify(body)}`);
  const sessionId = new URL(body.url).pathname.split('/').at(-1) ?? '';
  const paid = await callApi(`${sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', {
    body: { card },
  });
  if (paid.status !== 200) throw new Error(`the provider returned ${paid.status}`);
  return sessionId;
};

/** Opens a checkout and pays it at the provider. Returns the id of the checkout session, which is not confirmed yet. */
export const payAtProvider = async (system: Addresses, user: UserSession, card?: string): Promise<string> =>
  payCheckout(system, await openCheckout(system, user), card);

/** Registers a user who subscribes: pays at the provider and returns to the success page. */
export const registerSubscriber = async (
  system: Addresses,
  fields: Parameters<typeof register>[1],
): Promise<UserSession> => {
  const user = await register(system, fields);
  const xsl = await payAtProvider(system, user);
  const path = `${system.publicUrl}/user-payment`;
  const { status } = await callApi(path, 'PUT', { token: user.token, body: { xsl } });
  if (status !== 200) throw new Error(`the payment was confirmed with ${status}`);
  return user;
};

/** Like `payAtProvider`, for a pack of credits. */
export const buyPackAtProvider = async (
  system: Addresses,
  user: UserSession,
  card?: string,
): Promise<string> => {
  const checkout = `${system.publicUrl}/api/credits/packs/checkout`;
  const opened = await callApi<{ url: string }>(checkout, 'POST', { token: user.token });
  return payCheckout(system, opened, card);
};

type Provider = Pick<Installation, 'sandboxUrl' | 'secrets'>;

/** The id of a user's newest invoice among the last hundred at the provider. */
export const findInvoiceAtProvider = async (
  { sandboxUrl, secrets }: Provider,
  email: string,
): Promise<string | undefined> => {
  const invoices = await callApi<{ data: { id: string; customer_email: string }[] }>(
    `${sandboxUrl}/v1/invoices?limit=100`,
    'GET',
    { token: secrets.STRIPE_SECRET_KEY },
  );
  return invoices.body.data.find(({ customer_email: payer }) => payer === email)?.id;
};

/** Refunds the newest payment of a user, or a part of it, at the provider. */
export const refundAtProvider = async (system: Provider, email: string, amount?: number): Promise<void> => {
  const id = await findInvoiceAtProvider(system, email);
  const { status } = await callApi(`${system.sandboxUrl}/_sandbox/invoices/${id}/refund`, 'POST', {
    body: amount === undefined ? {} : { amount },
  });
  if (status !== 200) throw new Error(`the refund returned ${status}`);
};

export const readUser = async (system: Addresses, { token }: UserSession): Promise<UserView> => {
  const { body } = await callApi<{ user: UserView }>(`${system.publicUrl}/authentication_check`, 'GET', {
    token,
  });
  return body.user;
};

type Charge = { operationId: string; amount?: number };

/** The options of a charge for a contact of its own. */
const chargeOf = ({ token }: Pick<UserSession, 'token'>, { operationId, amount }: Charge): CallOptions => ({
  token,
  headers: { 'idempotency-key': operationId },
  body: { reason: 'email_found', reference: `contact ${operationId}`, amount },
});

/** Charges a credit, or more, for a contact of its own. */
export const chargeCredit = (
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  user: Pick<UserSession, 'token'>,
  charge: Charge,
): Promise<ApiResponse<ChargeResult>> =>
  callApi(`${publicUrl}/api/credits/spend`, 'POST', chargeOf(user, charge));

/** Reserves credits for a contact of its own. */
export const reserveCredit = (
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  user: Pick<UserSession, 'token'>,
  charge: Charge,
): Promise<ApiResponse<Reservation>> =>
  callApi(`${publicUrl}/api/credits/reservations`, 'POST', chargeOf(user, charge));

/** Commits a reservation, or a part of it. */
export const commitReservation = (
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  { token }: Pick<UserSession, 'token'>,
  { id, amount }: { id: string; amount: number },
): Promise<ApiResponse<ChargeResult>> =>
  callApi(`${publicUrl}/api/credits/reservations/${id}/commit`, 'POST', { token, body: { amount } });

export const setWebhooks = (system: Addresses, behaviour: Record<string, unknown>): Promise<ApiResponse> =>
  callApi(`${system.sandboxUrl}/_sandbox/webhooks`, 'PUT', { body: behaviour });

type SentMail = { to: unknown; subject: string; text: string };

/** Returns the mails that the provider accepted for an address. */
const mailsTo = async (system: Addresses, email: string): Promise<SentMail[]> => {
  const { body } = await callApi<{ data: SentMail[] }>(`${system.sandboxUrl}/_sandbox/mails`, 'GET');
  return body.data.filter(({ to }) => JSON.stringify(to).includes(email));
};

/** Returns what a pattern finds in the latest mail with this subject, once it has arrived. */
const inMail = async (
  system: Addresses,
  { email, subject }: { email: string; subject: string },
  pattern: RegExp,
): Promise<string> => {
  let found: string | undefined;
  await until(`the mail '${subject}'`, async () => {
    const mail = (await mailsTo(system, email)).findLast((candidate) => candidate.subject === subject);
    found = pattern.exec(mail?.text ?? '')?.[0];
    return found !== undefined;
  });
  return found ?? '';
};

export const mailedLink = (system: Addresses, email: string, subject: string): Promise<string> =>
  inMail(system, { email, subject }, /https?:\S+/);

export const mailedCode = (system: Addresses, email: string, subject: string): Promise<string> =>
  inMail(system, { email, subject }, /\b\d{6}\b/);

/**
 * Confirms the address of a new user by the code of the welcome mail. Journeys share one network, of which those before may have used
 * up the links of a minute.
 */
export const confirmEmail = async (system: Addresses, { email, token }: UserSession): Promise<void> => {
  const code = await mailedCode(system, email, 'Welcome to Shortlist');
  let status = 429;
  await until(
    'the limit of links',
    async () => {
      const options = { token, body: { code } };
      ({ status } = await callApi(`${system.publicUrl}/api/email/verify-code`, 'POST', options));
      return status !== 429;
    },
    90_000,
  );
  if (status !== 200) throw new Error(`the confirmation returned ${status}`);
};

export const tokenIn = (link: string): string =>
  new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';

/** Returns the subjects of all mails that the provider accepted for an address, sorted and with duplicates. */
export const mailSubjects = async (system: Addresses, email: string): Promise<string[]> =>
  (await mailsTo(system, email)).map(({ subject }) => subject).sort();
