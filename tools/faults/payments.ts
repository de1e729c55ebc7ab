// Payments while faults happen, and what customers, banks and operators do at Stripe after them.
import { callApi, logInAdmin, type UserSession } from '../../tests/journeys/client.ts';
import { type Control, type Customer, possibleActions } from '../histories/actions.ts';
import { DAY } from '../histories/calendar.ts';
import { addSubscription } from '../histories/stripe-model.ts';
import { type Attempt, type Parts, retry } from './retry.ts';

type Paid = { customer: string; subscription: string; invoice: string };

const openCheckout = async ({ system }: Parts, user: UserSession): Promise<string | null> => {
  const checkout = await retry(() =>
    callApi<{ url: string }>(`${system.publicUrl}/subscribe`, 'GET', { token: user.token }),
  );
  const url = checkout.body?.url;
  return url === undefined ? null : (new URL(url).pathname.split('/').at(-1) ?? '');
};

const payPage = ({ system }: Parts, sessionId: string, payment: object): Promise<Attempt<Paid>> =>
  retry(() =>
    callApi<Paid>(`${system.sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', {
      body: payment,
    }),
  );

/** Buys the plan. Returns what Stripe knows of the customer, or null when the payment is not known to be made. */
export const pay = async (parts: Parts, user: UserSession): Promise<Customer | null> => {
  const { system, history, random } = parts;
  const sessionId = await openCheckout(parts, user);
  if (sessionId === null) return null;
  const method = random() < 0.2 ? 'bank_debit' : 'card';
  const { outcome, body } = await payPage(parts, sessionId, { method });
  // The provider has charged the card, so the user must become premium from here on in spite of every fault.
  if (method === 'card') history.record({ kind: 'payment', id: sessionId, userId: user.id, outcome });
  // Otherwise as if the browser was closed: only the webhook confirms the payment.
  if (random() < 0.5)
    await retry(() =>
      callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl: sessionId } }),
    );
  if (outcome !== 'acked' || body === null) return null;
  const model = { now: 0, retryDays: [], cardIsGood: true, subscriptions: [] };
  addSubscription(model, { id: body.subscription, invoiceId: body.invoice, method });
  // A bank confirms a debit a day later; the model does not wait for it.
  return { customerId: body.customer, model: { ...model, now: DAY } };
};

/** Does something that may happen to the customer at Stripe. Returns null once the outcome of an action is unknown. */
export const actAtProvider = async (
  { system, random }: Parts,
  customer: Customer,
): Promise<Customer | null> => {
  const actions = possibleActions(customer);
  const action = actions[Math.floor(random() * actions.length)];
  const control: Control = async <T>(path: string, body: object = {}, method: 'POST' | 'PUT' = 'POST') => {
    const reply = await callApi<T>(`${system.sandboxUrl}/_sandbox${path}`, method, { body });
    if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}`);
    return reply.body;
  };
  try {
    await action?.run(control);
    return customer;
  } catch {
    return null;
  }
};

/** The user opens a checkout, an admin deletes the user, and the page is paid all the same. */
export const leaveWhilePaying = async (parts: Parts, user: UserSession): Promise<void> => {
  const { system, history } = parts;
  const sessionId = await openCheckout(parts, user);
  const token = await logInAdmin(system).catch(() => null);
  if (token === null) return;
  const { outcome } = await retry(() => callApi(`${system.publicUrl}/users/${user.id}`, 'DELETE', { token }));
  history.record({ kind: 'deletion', id: user.id, userId: user.id, outcome });
  if (sessionId !== null) await payPage(parts, sessionId, {});
};
