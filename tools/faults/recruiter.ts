import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@shortlist/local/system';
import { callApi, type UserSession, newUser } from '../../tests/journeys/client.ts';
import type { History, Outcome } from './history.ts';

export type Parts = { system: System; history: History; random: () => number };

const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'acked';
  return status >= 500 ? 'unknown' : 'refused';
};

const TRIES = 40;
const PAUSE_MS = 250;

type Attempt<Body> = { outcome: Outcome; body: Body | null };

/** Retries until the outcome is known. Each try uses the same operation id, as a careful client does. */
const retry = async <Body>(
  attempt: () => Promise<{ status: number; body: Body }>,
): Promise<Attempt<Body>> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const response = await attempt().catch(() => null);
    const outcome = response === null ? 'unknown' : outcomeOf(response.status);
    if (response !== null && outcome !== 'unknown') return { outcome, body: response.body };
    await sleep(PAUSE_MS);
  }
  return { outcome: 'unknown', body: null };
};

const signUpAndLogIn = async ({ system, history }: Parts): Promise<UserSession | null> => {
  const account = newUser();
  const body = (): FormData => {
    const form = new FormData();
    form.set('userData', JSON.stringify(account));
    return form;
  };
  // After a lost response the second sign-up is refused as a duplicate, so the log-in decides whether the first succeeded.
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

const pay = async ({ system, history, random }: Parts, user: UserSession): Promise<void> => {
  const checkout = await retry(() =>
    callApi<{ url: string }>(`${system.publicUrl}/subscribe`, 'GET', { token: user.token }),
  );
  if (checkout.body?.url === undefined) return;
  const sessionId = new URL(checkout.body.url).pathname.split('/').at(-1) ?? '';
  const paid = await retry(() =>
    callApi(`${system.sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', {
      body: { card: '4242424242424242' },
    }),
  );
  // The provider has charged the user, who must become premium from here on in spite of every fault.
  history.record({ kind: 'payment', id: sessionId, userId: user.id, outcome: paid.outcome });
  if (random() < 0.5) return; // as if the browser was closed: only the webhook confirms the payment
  await retry(() =>
    callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl: sessionId } }),
  );
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

/** Simulates one recruiter: signs up, spends credits, pays in most cases, and spends more until the run is over. */
const simulateRecruiter = async (parts: Parts, isOver: () => boolean): Promise<void> => {
  const user = await signUpAndLogIn(parts);
  if (user === null) return;
  for (let index = 0; index < SPENDS && !isOver(); index += 1) {
    if (index === PAY_AT && parts.random() < 0.7) await pay(parts, user);
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
