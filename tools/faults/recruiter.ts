import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, newUser, type UserSession } from '../../tests/journeys/client.ts';
import type { Customer } from '../histories/actions.ts';
import { actAtProvider, leaveWhilePaying, pay } from './payments.ts';
import { type Parts, retry } from './retry.ts';

const signUpAndLogIn = async ({ system, history }: Parts): Promise<UserSession | null> => {
  const account = newUser();
  const body = (): FormData => {
    const form = new FormData();
    form.set('userData', JSON.stringify(account));
    return form;
  };
  // After a lost response the second sign-up is refused, or waits for a mail, so the log-in decides whether the first succeeded.
  await retry(() => callApi(`${system.publicUrl}/signup`, 'POST', { body: body() }));
  const login = await retry(() =>
    callApi<{ data: { token: string; user: { id: string } } }>(`${system.publicUrl}/login`, 'POST', {
      body: { email: account.email, password: account.password },
    }),
  );
  if (login.outcome !== 'acked' || login.body === null) return null;
  const { token, user } = login.body.data;
  history.record({ kind: 'sign_up', id: user.id, userId: user.id, outcome: 'acked' });
  return { id: user.id, token, email: account.email };
};

const spend = async ({ system, history, random }: Parts, user: UserSession, index: number): Promise<void> => {
  const operationId = `${user.id}-${index}`;
  const headers = { 'idempotency-key': operationId };
  const body = { reason: random() < 0.5 ? 'message_composed' : 'email_found', reference: `contact ${index}` };
  const { outcome } = await retry(() =>
    callApi(`${system.publicUrl}/api/credits/spend`, 'POST', { token: user.token, headers, body }),
  );
  history.record({ kind: 'spend', id: operationId, userId: user.id, outcome });
};

/** More than the free credits of a window, so that a user who does not pay reaches the limit. */
const SPENDS = 24;
const PAY_AT = 8;
const LONGEST_PAUSE_MS = 100;

/** Pays, or is deleted while paying, or does neither. Returns the customer whose state at Stripe is known. */
const payOrLeave = async (parts: Parts, user: UserSession): Promise<Customer | 'left' | null> => {
  const chance = parts.random();
  if (chance < 0.7) return pay(parts, user);
  if (chance > 0.9) {
    await leaveWhilePaying(parts, user);
    return 'left';
  }
  return null;
};

/** Something that happens between two charges: mostly nothing, once a payment, and then what may follow a payment. */
const changePlan = async (
  parts: Parts,
  { user, customer, index }: { user: UserSession; customer: Customer | null; index: number },
): Promise<Customer | 'left' | null> => {
  if (index === PAY_AT) return payOrLeave(parts, user);
  return customer !== null && parts.random() < 0.15 ? actAtProvider(parts, customer) : customer;
};

/** Simulates one recruiter: signs up, spends credits, pays in most cases, and spends more until the run is over. */
const simulateRecruiter = async (parts: Parts, isOver: () => boolean): Promise<void> => {
  const user = await signUpAndLogIn(parts);
  if (user === null) return;
  let customer: Customer | 'left' | null = null;
  for (let index = 0; index < SPENDS && !isOver(); index += 1) {
    customer = await changePlan(parts, { user, customer, index });
    if (customer === 'left') return;
    await spend(parts, user, index);
    await sleep(parts.random() * LONGEST_PAUSE_MS);
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
