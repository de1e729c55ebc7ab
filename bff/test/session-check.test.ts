import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { respondWith, send, useBff } from './support.ts';

const ID = uuidv7();
const IN_TROUBLE = { plan: 'premium', problem: { kind: 'past_due' } };

let subscription: { plan: string; problem: object | null };
const bff = await useBff();
bff.upstream.respond = respondWith(({ url }) => {
  if (url?.startsWith('/subscriptions/'))
    return { data: subscription, planState: { version: 1 }, outlook: null };
  return url?.startsWith('/credits/') ? { used: 3 } : { data: { id: ID } };
});

const check = async (): Promise<{ user: { id: string; composed: number }; subscription?: object }> => {
  const { token } = await bff.sessions.begin(ID, 'user');
  const { body } = await send(bff.port, '/authentication_check', {
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(body) as Awaited<ReturnType<typeof check>>;
};

it('a session whose payment is in trouble has the subscription too, by the same reads', async () => {
  subscription = IN_TROUBLE;
  const { user, ...rest } = await check();
  expect(user).toMatchObject({ id: ID, composed: 3 });
  expect(rest.subscription).toEqual(IN_TROUBLE);
  expect(bff.upstream.requests).toHaveLength(3);
});

it('a session without such a payment has none', async () => {
  subscription = { ...IN_TROUBLE, problem: null };
  expect(await check()).not.toHaveProperty('subscription');
});
