import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { confirmationReminded, registrationRequested } from '@shortlist/contracts/events/identity';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { createError } from '@shortlist/kit/process/errors';
import { createLog } from '@shortlist/kit/process/log';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { advanceUnconfirmed } from '../src/deletions/advance-unconfirmed.ts';
import { openWorker } from './support.ts';

type Account = { step: 'remind' | 'give_up'; version?: number; customerId?: string | null; spent?: boolean };

/** The services with these accounts, and the calls to identity. */
const openAccounts = (accounts: Account[], { isBillingAway = false } = {}) => {
  const users = accounts.map((account) => ({ ...account, userId: uuidv7() }));
  const calls: string[] = [];
  const userOf = (input: object) =>
    users.find(({ userId }) => userId === (input as { userId?: string }).userId);
  const client = (reply: (path: string, input: object) => unknown): ServiceClient =>
    (({ path }: { path: string }, input: object) =>
      Promise.resolve().then(() => reply(path, input))) as unknown as ServiceClient;

  const identity = client((path, input) => {
    if (path === unconfirmedEndpoints.listUnconfirmed.path)
      return { data: users.map(({ userId, step }) => ({ userId, step })) };
    const index = users.findIndex(({ userId }) => userId === userOf(input)?.userId);
    const keptFor = (input as { keptFor?: string }).keptFor ?? '';
    calls.push(`${index} ${path.split('/').at(-1)} ${keptFor}`.trim());
    return { deleted: true };
  });
  const billing = client((path, input) => {
    expect(path).toBe(billingEndpoints.getSubscription.path);
    if (isBillingAway) throw createError('service.unavailable');
    const { version = 0, customerId = null } = userOf(input) ?? {};
    return { data: { customerId }, planState: { version, paid: null, granted: null } };
  });
  const credits = client((path, input) => {
    expect([path, (input as { section: string }).section]).toEqual([
      dataExportEndpoints.credits.path,
      'ledger',
    ]);
    return { data: userOf(input)?.spent === true ? [{ id: '1' }] : [], next: null };
  });
  const parts = { identity, billing, credits, log: createLog('test', 'silent') };
  return { calls, advance: () => advanceUnconfirmed(parts) };
};

describe('unconfirmed accounts', () => {
  it('A12 are reminded and deleted when they are due', async () => {
    const { calls, advance } = openAccounts([{ step: 'remind' }, { step: 'give_up' }]);
    await advance();
    expect(calls).toEqual(['0 remind', '1 give-up']);
  });

  it.each([
    ['has a plan', { version: 3 }, 'plan'],
    ['is a customer at Stripe', { customerId: 'cus_1' }, 'plan'],
    ['has spent credits', { spent: true }, 'credits'],
  ])('A12 are kept, and not emailed, when one %s', async (_name, use, keptFor) => {
    const { calls, advance } = openAccounts([
      { step: 'remind', ...use },
      { step: 'give_up', ...use },
    ]);
    await advance();
    expect(calls).toEqual([`0 keep ${keptFor}`, `1 keep ${keptFor}`]);
  });

  it('A12 do not change while billing does not respond', async () => {
    const { calls, advance } = openAccounts([{ step: 'give_up' }], { isBillingAway: true });
    await advance();
    expect(calls).toEqual([]);
  });
});

it('A12 a sign-up with the email of an unconfirmed account is emailed there before it has an account', async () => {
  const worker = await openWorker();
  const registrationId = worker.addAccount(); // an address without a profile
  await worker.publish(registrationRequested, registrationId, {});
  await worker.send(registrationId);
  const [mail] = await worker.sent(registrationId);

  expect(mail?.subject).toBe('Finish signing up for Shortlist');
  expect(mail?.text).toContain('Confirming this one deletes it.');
  expect(mail?.text).toMatch(/https:\/\/shortlist\.test\/verify-email#token=/);
  await worker.close();
});

it('A12 the reminder has a link and a code, and names the day', async () => {
  const worker = await openWorker();
  const userId = worker.addUser();
  await worker.publish(confirmationReminded, userId, { dueAt: '2026-03-03T12:00:00.000Z' });
  await worker.send(userId);
  const [mail] = await worker.sent(userId);
  expect(mail?.subject).toBe('Confirm your email to keep your account');
  expect(mail?.text).toContain('Confirm it by March 3, 2026');
  expect(mail?.text).toMatch(/https:\/\/shortlist\.test\/verify-email#token=/);
  await worker.close();
});
