// Recruiters who use the product while faults happen, and what customers, banks and operators do at Stripe after their payments.
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserView } from '@shortlist/contracts/api/profile';
import { days } from '@shortlist/contracts/durations';
import {
  callApi,
  chargeCredit,
  commitReservation,
  logInAdmin,
  newUser,
  reserveCredit,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { type Control, type Customer, possibleActions } from '../histories/actions.ts';
import { addSubscription } from '../histories/stripe-model.ts';
import { type Attempt, type Outcome, type Parts, retry } from '../../harness/history.ts';

type Paid = { customer: string; subscription: string; invoice: string };

/** More than the free credits of a window, so that a user who does not pay reaches the limit. */
const SPENDS = 24;
const PAY_AT = 8;
const LONGEST_PAUSE_MS = 100;

const signUpAndLogIn = async (parts: Parts): Promise<UserSession | null> => {
  const { system, history } = parts;
  const account = newUser();
  const { email, password } = account;
  // After a lost response the second sign-up is refused, or waits for a mail, so the log-in decides whether the first succeeded.
  await retry(parts, () => signUp(system, account));
  const { outcome, body } = await retry(parts, () =>
    callApi<{ data: { token: string; user: UserView } }>(`${system.publicUrl}/login`, 'POST', {
      body: { email, password },
    }),
  );
  if (outcome !== 'acked' || body === null) return null;
  const { token, user } = body.data;
  history.record({ kind: 'sign_up', id: user.id, userId: user.id, outcome });
  return { id: user.id, token, email };
};

const openCheckout = async (parts: Parts, { token }: UserSession): Promise<string | null> => {
  const { body } = await retry(parts, () =>
    callApi<{ url?: string }>(`${parts.system.publicUrl}/subscribe`, 'GET', { token }),
  );
  return body?.url === undefined ? null : (new URL(body.url).pathname.split('/').at(-1) ?? '');
};

const payPage = (parts: Parts, sessionId: string, body: object): Promise<Attempt<Paid>> =>
  retry(parts, () =>
    callApi(`${parts.system.sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', { body }),
  );

/** Buys the plan. Returns what Stripe knows of the customer, or null when the payment is not known to be made. */
const pay = async (parts: Parts, user: UserSession): Promise<Customer | null> => {
  const { system, history, random } = parts;
  const sessionId = await openCheckout(parts, user);
  if (sessionId === null) return null;
  const method = random() < 0.2 ? 'bank_debit' : 'card';
  const { outcome, body } = await payPage(parts, sessionId, { method });
  // The provider has charged the card, so the user must become premium from here on in spite of every fault.
  if (method === 'card') history.record({ kind: 'payment', id: sessionId, userId: user.id, outcome });
  const confirmation = { token: user.token, body: { xsl: sessionId } };
  // Otherwise as if the browser was closed: only the webhook confirms the payment.
  if (random() < 0.5)
    await retry(parts, () => callApi(`${system.publicUrl}/user-payment`, 'PUT', confirmation));
  if (outcome !== 'acked' || body === null) return null;
  const model = { now: 0, retryDays: [], cardIsGood: true, voidsUnpaid: true, subscriptions: [], packs: [] };
  addSubscription(model, {
    id: body.subscription,
    invoiceId: body.invoice,
    method,
    interval: 'month',
    isFree: false,
  });
  // A bank confirms a debit a day later; the model does not wait for it.
  return { customerId: body.customer, model: { ...model, now: days(1) } };
};

/** Does something that may happen to the customer at Stripe. Returns null once the outcome of an action is unknown. */
const actAtProvider = async ({ system, random }: Parts, customer: Customer): Promise<Customer | null> => {
  const actions = possibleActions(customer);
  const control: Control = async <T>(path: string, body: object = {}, method: 'POST' | 'PUT' = 'POST') => {
    const reply = await callApi<T>(`${system.sandboxUrl}/_sandbox${path}`, method, { body });
    if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}`);
    return reply.body;
  };
  try {
    await actions[Math.floor(random() * actions.length)]?.run(control);
    return customer;
  } catch {
    return null;
  }
};

/** The user opens a checkout, an admin deletes the user, and the page is paid all the same. */
const leaveWhilePaying = async (parts: Parts, user: UserSession): Promise<'left'> => {
  const { system, history } = parts;
  const sessionId = await openCheckout(parts, user);
  const token = await logInAdmin(system).catch(() => null);
  if (token === null) return 'left';
  const { outcome } = await retry(parts, () =>
    callApi(`${system.publicUrl}/users/${user.id}`, 'DELETE', { token }),
  );
  history.record({ kind: 'deletion', id: user.id, userId: user.id, outcome });
  if (sessionId !== null) await payPage(parts, sessionId, {});
  return 'left';
};

/** Charges one to three credits at once, or reserves them and commits one. */
const spend = async (parts: Parts, user: UserSession, operationId: string): Promise<Outcome> => {
  const { system, random } = parts;
  const charge = { operationId, amount: 1 + Math.floor(random() * 3) };
  if (random() < 0.7) return (await retry(parts, () => chargeCredit(system, user, charge))).outcome;
  const { outcome, body } = await retry(parts, () => reserveCredit(system, user, charge));
  if (outcome === 'acked' && body !== null)
    await retry(parts, () => commitReservation(system, user, { id: body.id, amount: 1 }));
  return outcome;
};

type PlanChange = { user: UserSession; customer: Customer | null; index: number };

/** Something that happens between two charges: mostly nothing, once a payment, and then what may follow a payment. */
const changePlan = async (
  parts: Parts,
  { user, customer, index }: PlanChange,
): Promise<Customer | 'left' | null> => {
  const chance = parts.random();
  if (index !== PAY_AT) return customer !== null && chance < 0.15 ? actAtProvider(parts, customer) : customer;
  if (chance < 0.7) return pay(parts, user);
  return chance > 0.9 ? leaveWhilePaying(parts, user) : null;
};

/** Simulates one recruiter: signs up, spends credits, pays in most cases, and spends more until the run is over. */
const simulateRecruiter = async (parts: Parts, isOver: () => boolean): Promise<void> => {
  const { system, history, random } = parts;
  const user = await signUpAndLogIn(parts);
  if (user === null) return;
  let customer: Customer | 'left' | null = null;
  for (let index = 0; index < SPENDS && !isOver(); index += 1) {
    customer = await changePlan(parts, { user, customer, index });
    if (customer === 'left') return;
    const id = `${user.id}-${index}`;
    await retry(parts, () =>
      callApi(`${system.publicUrl}/authentication_check`, 'GET', { token: user.token }),
    );
    const outcome = await spend(parts, user, id);
    history.record({ kind: 'spend', id, userId: user.id, outcome });
    await sleep(random() * LONGEST_PAUSE_MS);
  }
};

/** Simulates recruiters, one after the other in each of `recruiters` lanes, until `work` ends. Completes the operations in progress. */
export const simulateWhile = async (
  parts: Parts,
  recruiters: number,
  work: () => Promise<unknown>,
): Promise<void> => {
  let over = false;
  const lane = async (): Promise<void> => {
    while (!over) await simulateRecruiter(parts, () => over);
  };
  const lanes = Array.from({ length: recruiters }, lane);
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(lanes);
  }
};
