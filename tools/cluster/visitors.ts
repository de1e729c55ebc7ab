// Users who expect every request to succeed: nothing is tried again, and each failure is kept.
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserView } from '@shortlist/contracts/api/public';
import type { Installation } from '@shortlist/local/system';
import {
  type ApiResponse,
  callApi,
  chargeCredit,
  newUser,
  payAtProvider,
  readUser,
  signUp,
  type UserSession,
} from '../../tests/journeys/client.ts';

type Call = <Body>(name: string, send: () => Promise<ApiResponse<Body>>) => Promise<Body | null>;
type Visit = { product: Installation; call: Call; paid: UserSession[]; isOver: () => boolean };

const VISITORS = 4;
const READS = 25;
const PAY_AT = 10;
const PAUSE_MS = 30;
const PREMIUM_LIMIT_MS = 60_000;

const enter = async ({ product, call }: Visit): Promise<UserSession | null> => {
  const user = newUser();
  if ((await call('sign-up', () => signUp(product, user))) === null) return null;
  const { email, password } = user;
  const entered = await call('log-in', () =>
    callApi<{ data: { token: string; user: UserView } }>(`${product.publicUrl}/login`, 'POST', {
      body: { email, password },
    }),
  );
  return entered === null ? null : { id: entered.data.user.id, token: entered.data.token, email };
};

const makeVisit = async (visit: Visit): Promise<void> => {
  const { product, call, paid, isOver } = visit;
  const session = await enter(visit);
  if (session === null) return;
  const { publicUrl } = product;
  for (let index = 0; index < READS && !isOver(); index += 1) {
    await call('read', () => callApi(`${publicUrl}/authentication_check`, 'GET', { token: session.token }));
    if (index % 5 === 2) await call('spend', () => chargeCredit(product, session, `${session.id}-${index}`));
    if (index % 5 === 3) await call('page', () => callApi(`${publicUrl}/login`, 'GET'));
    if (index === PAY_AT) {
      await payAtProvider(product, session);
      paid.push(session);
    }
    await sleep(PAUSE_MS);
  }
};

/** The users who have paid and are not premium within a minute. */
const findUnpaid = async (product: Installation, paid: UserSession[]): Promise<string[]> => {
  const endsAt = Date.now() + PREMIUM_LIMIT_MS;
  let left = paid;
  while (left.length > 0 && Date.now() < endsAt) {
    const plans = await Promise.all(left.map(async (one) => (await readUser(product, one)).plan));
    left = left.filter((_one, index) => plans[index] !== 'premium');
    await sleep(500);
  }
  return left.map(({ id }) => id);
};

/** Lets users use the product until `work` has ended. Throws when a request failed, or a payment made no one premium. */
export const visitDuring = async (product: Installation, work: () => Promise<unknown>): Promise<string> => {
  const paid: UserSession[] = [];
  const failures: string[] = [];
  let [requests, slowestMs, isOver] = [0, 0, false];
  const fail = (name: string, reason: string): null => {
    failures.push(`${new Date().toISOString().slice(11, 23)} ${name}: ${reason}`);
    return null;
  };
  const call: Call = async (name, send) => {
    const startedAt = performance.now();
    requests += 1;
    const reply = await send().catch((error: unknown) => fail(name, String((error as Error).cause ?? error)));
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    if (reply === null || reply.status < 300) return reply?.body ?? null;
    return fail(name, `${reply.status} ${JSON.stringify(reply.body).slice(0, 120)}`);
  };
  const visit = { product, call, paid, isOver: () => isOver };
  const lane = async (): Promise<void> => {
    while (!isOver) await makeVisit(visit).catch((error: unknown) => fail('payment', String(error)));
  };
  const lanes = Array.from({ length: VISITORS }, lane);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(lanes);
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${requests} requests failed\n${failures.slice(0, 10).join('\n')}`);
  const unpaid = await findUnpaid(product, paid);
  if (unpaid.length > 0) throw new Error(`paid and not premium: ${unpaid.join(', ')}`);
  return `${requests} requests, none failed, slowest ${(slowestMs / 1000).toFixed(1)} s`;
};
