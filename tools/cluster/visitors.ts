// Users who expect every request to succeed: nothing is tried again, and each failure is kept.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@shortlist/local/system';
import { type ApiResponse, callApi, newUser, payAtProvider, readUser } from '../../tests/journeys/client.ts';

export type Visits = {
  requests: number;
  slowestMs: number;
  failures: string[];
  unpaid: () => Promise<string[]>;
};

type Call = <Body>(name: string, call: () => Promise<ApiResponse<Body>>) => Promise<Body | null>;
type Session = { id: string; token: string; email: string };

const READS = 25;
const PAY_AT = 10;
const PAUSE_MS = 30;

const enter = async ({ publicUrl }: Installation, call: Call): Promise<Session | null> => {
  const user = newUser();
  const form = new FormData();
  form.set('userData', JSON.stringify(user));
  if ((await call('sign-up', () => callApi(`${publicUrl}/signup`, 'POST', { body: form }))) === null)
    return null;
  const { email, password } = user;
  const body = await call('log-in', () =>
    callApi<{ data: { token: string; user: { id: string } } }>(`${publicUrl}/login`, 'POST', {
      body: { email, password },
    }),
  );
  return body === null ? null : { id: body.data.user.id, token: body.data.token, email };
};

const spend = ({ publicUrl }: Installation, { id, token }: Session, index: number): Promise<ApiResponse> =>
  callApi(`${publicUrl}/api/credits/spend`, 'POST', {
    token,
    headers: { 'idempotency-key': `${id}-${index}` },
    body: { reason: 'message_composed', reference: `contact ${index}` },
  });

const visit = async (
  product: Installation,
  { call, paid, isOver }: { call: Call; paid: Session[]; isOver: () => boolean },
): Promise<void> => {
  const session = await enter(product, call);
  if (session === null) return;
  const { publicUrl } = product;
  for (let index = 0; index < READS && !isOver(); index += 1) {
    await call('read', () => callApi(`${publicUrl}/authentication_check`, 'GET', { token: session.token }));
    if (index % 5 === 2) await call('spend', () => spend(product, session, index));
    if (index % 5 === 3) await call('page', () => callApi(`${publicUrl}/login`, 'GET'));
    if (index === PAY_AT) {
      await payAtProvider(product, session);
      paid.push(session);
    }
    await sleep(PAUSE_MS);
  }
};

const PREMIUM_LIMIT_MS = 60_000;

/** The users who have paid and are not premium within a minute. */
const findUnpaid = async (product: Installation, paid: Session[]): Promise<string[]> => {
  const endsAt = Date.now() + PREMIUM_LIMIT_MS;
  let left = paid;
  while (left.length > 0 && Date.now() < endsAt) {
    const plans = await Promise.all(left.map(async (one) => (await readUser(product, one)).plan));
    left = left.filter((_one, index) => plans[index] !== 'premium');
    await sleep(500);
  }
  return left.map(({ id }) => id);
};

/** Lets `visitors` at once use the product until `work` has ended, and returns what they met. */
export const visitWhile = async (
  product: Installation,
  visitors: number,
  work: () => Promise<unknown>,
): Promise<Visits> => {
  const paid: Session[] = [];
  const visits: Visits = { requests: 0, slowestMs: 0, failures: [], unpaid: () => findUnpaid(product, paid) };
  const fail = (name: string, reason: string): null => {
    visits.failures.push(`${new Date().toISOString().slice(11, 23)} ${name}: ${reason}`);
    return null;
  };
  const call: Call = async (name, send) => {
    const startedAt = performance.now();
    visits.requests += 1;
    const reply = await send().catch((error: unknown) => fail(name, String((error as Error).cause ?? error)));
    visits.slowestMs = Math.max(visits.slowestMs, performance.now() - startedAt);
    if (reply === null) return null;
    return reply.status < 300
      ? reply.body
      : fail(name, `${reply.status} ${JSON.stringify(reply.body).slice(0, 120)}`);
  };
  let over = false;
  const lane = async (): Promise<void> => {
    while (!over)
      await visit(product, { call, paid, isOver: () => over }).catch((error: unknown) =>
        fail('payment', String(error)),
      );
  };
  const lanes = Array.from({ length: visitors }, lane);
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(lanes);
  }
  return visits;
};
