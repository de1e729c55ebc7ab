import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@shortlist/local/system';
import { ask, type LoggedIn, newPerson } from '../../tests/journeys/client.ts';
import type { History, Outcome } from './history.ts';

export type Parts = { system: System; history: History; random: () => number };

const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'acked';
  return status >= 500 ? 'unknown' : 'refused';
};

const TRIES = 40;
const PAUSE_MS = 250;

type Attempted<Body> = { outcome: Outcome; body: Body | null };

/** Asks until somebody answers yes or no. Between tries the same operation id is kept, as a careful client does. */
const retry = async <Body>(
  attempt: () => Promise<{ status: number; body: Body }>,
): Promise<Attempted<Body>> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await attempt().catch(() => null);
    const outcome = answer === null ? 'unknown' : outcomeOf(answer.status);
    if (answer !== null && outcome !== 'unknown') return { outcome, body: answer.body };
    await sleep(PAUSE_MS);
  }
  return { outcome: 'unknown', body: null };
};

const signUpAndLogIn = async ({ system, history }: Parts): Promise<LoggedIn | null> => {
  const person = newPerson();
  const body = (): FormData => {
    const form = new FormData();
    form.set('userData', JSON.stringify(person));
    return form;
  };
  // A sign-up whose answer was lost is "taken" the second time: the log in tells which it was.
  await retry(() => ask(`${system.publicUrl}/signup`, 'POST', { body: body() }));
  const login = await retry(() =>
    ask<{ data: { token: string; user: { id: string } } }>(`${system.publicUrl}/login`, 'POST', {
      body: { email: person.email, password: person.password },
    }),
  );
  if (login.outcome !== 'acked' || login.body === null) return null;
  const { token, user } = login.body.data;
  history.note({ kind: 'sign_up', id: user.id, userId: user.id, outcome: 'acked' });
  return { id: user.id, token, email: person.email };
};

const pay = async ({ system, history, random }: Parts, person: LoggedIn): Promise<void> => {
  const checkout = await retry(() =>
    ask<{ url: string }>(`${system.publicUrl}/subscribe`, 'GET', { token: person.token }),
  );
  if (checkout.body?.url === undefined) return;
  const sessionId = new URL(checkout.body.url).pathname.split('/').at(-1) ?? '';
  const paid = await retry(() =>
    ask(`${system.sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', {
      body: { card: '4242424242424242' },
    }),
  );
  // The provider took the money: from here on the person must become premium, whatever happens to us.
  history.note({ kind: 'payment', id: sessionId, userId: person.id, outcome: paid.outcome });
  if (random() < 0.5) return; // the browser was closed: only the webhook is left
  await retry(() =>
    ask(`${system.publicUrl}/user-payment`, 'PUT', { token: person.token, body: { xsl: sessionId } }),
  );
};

const spend = async ({ system, history, random }: Parts, person: LoggedIn, index: number): Promise<void> => {
  const operationId = `${person.id}-${index}`;
  const headers = { 'idempotency-key': operationId };
  const body = { reason: random() < 0.5 ? 'message_composed' : 'email_found', reference: `contact ${index}` };
  const { outcome } = await retry(() =>
    ask(`${system.publicUrl}/api/credits/spend`, 'POST', { token: person.token, headers, body }),
  );
  history.note({ kind: 'spend', id: operationId, userId: person.id, outcome });
};

/** More than the free credits of a window, so that whoever does not pay meets the limit. */
const SPENDS = 24;
const PAY_AT = 8;
const LONGEST_PAUSE_MS = 100;

/** One recruiter's life under fire: signs up, spends, perhaps pays, spends on, until the life or the run is over. */
const liveAsRecruiter = async (parts: Parts, isOver: () => boolean): Promise<void> => {
  const person = await signUpAndLogIn(parts);
  if (person === null) return;
  for (let index = 0; index < SPENDS && !isOver(); index += 1) {
    if (index === PAY_AT && parts.random() < 0.7) await pay(parts, person);
    await spend(parts, person, index);
    await sleep(parts.random() * LONGEST_PAUSE_MS);
  }
};

/** Recruiters live, one life after another, for as long as `work` takes, and bring to an end what they have begun. */
export const liveWhile = async (
  parts: Parts,
  recruiters: number,
  work: () => Promise<unknown>,
): Promise<void> => {
  let over = false;
  const liveOn = async (): Promise<void> => {
    while (!over) await liveAsRecruiter(parts, () => over);
  };
  const lives = Array.from({ length: recruiters }, liveOn);
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(lives);
  }
};
