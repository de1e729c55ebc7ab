import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import {
  deletionApproaching,
  deletionCancelled,
  deletionRequested,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { DELETION_DAYS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
let id = '';
beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  id = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});
afterEach(() => void (elapsedMs = 0));

const asUser = () => ({ caller: { role: 'user', userId: id, address: '198.51.100.7' } }) as const;
const request = (more: object = {}) =>
  opened.identity.ask(
    privacyEndpoints.requestDeletion,
    { id, email: ana.email, subscription: 'keep', reason: 'I found a job', ...more },
    asUser(),
  );
const pass = (count: number): void => void (elapsedMs += days(count));
const due = async () => (await opened.identity.ask(privacyEndpoints.advanceDeletions, {}, service)).data;
const complete = (deletionId: string) =>
  opened.identity.ask(privacyEndpoints.eraseDueUser, { deletionId }, service);
const logIn = () =>
  opened.identity.ask(
    logInEndpoints.verifyCredentials,
    { email: ana.email, password: ana.password, role: 'user' },
    anonymous,
  );
const countEvents = async ({ type }: { type: string }): Promise<number> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  const events = rows.map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>);
  return events.filter((event) => event.type === type && event.subject === id).length;
};

describe('the deletion of an account by its user', () => {
  it('requires the address of the account', async () => {
    await expect(request({ email: 'other@talent.test' })).rejects.toMatchObject({
      code: 'identity.email_mismatch',
      fields: { email: 'This is not the email of your account.' },
    });
    expect(await countEvents(deletionRequested)).toBe(0);
  });

  it('is due after 30 days, or at the end of the paid period, and a log-in returns that time', async () => {
    const { data } = await request();
    expect(Date.parse(data.dueAt) - Date.parse(data.requestedAt)).toBe(days(DELETION_DAYS));
    expect((await logIn()).data.deletionDueAt).toBe(data.dueAt);
    expect((await request({ keepUntil: '2099-01-01T00:00:00.000Z' })).data).toEqual(data);
    expect(await countEvents(deletionRequested)).toBe(1);
  });

  it('is requested once by concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => request()));
    expect(new Set(results.map(({ data }) => data.dueAt)).size).toBe(1);
    expect(await countEvents(deletionRequested)).toBe(1);
  });

  it('can be cancelled until it is due, but not afterwards', async () => {
    await request();
    pass(DELETION_DAYS - 0.01);
    await opened.identity.ask(privacyEndpoints.cancelDeletion, { id }, asUser());
    expect((await logIn()).data).not.toHaveProperty('deletionDueAt');
    expect(await countEvents(deletionCancelled)).toBe(1);
    await request();
    pass(DELETION_DAYS);
    await expect(
      opened.identity.ask(privacyEndpoints.cancelDeletion, { id }, asUser()),
    ).rejects.toMatchObject({ code: 'identity.deletion_due' });
  });

  it('is announced three days before, once', async () => {
    await request();
    pass(DELETION_DAYS - 3.01);
    await due();
    expect(await countEvents(deletionApproaching)).toBe(0);
    pass(0.02);
    await Promise.all([due(), due()]);
    expect(await countEvents(deletionApproaching)).toBe(1);
  });

  it('leaves nothing of the account except a record without text and email', async () => {
    await request();
    const [, stranded] = [await due(), uuidv7()];
    expect(await due()).toEqual([]);
    expect(await complete(stranded)).toEqual({ deleted: false });
    pass(DELETION_DAYS);
    const [deletion] = await due();
    expect(deletion?.userId).toBe(id);
    const results = await Promise.all(Array.from({ length: 3 }, () => complete(deletion?.deletionId ?? '')));
    expect(results.filter(({ deleted }) => deleted)).toHaveLength(1);
    expect(await countEvents(userDeleted)).toBe(1);
    await expect(logIn()).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
    expect(await opened.db.query('SELECT id FROM deletions')).toEqual([]);
    const { data } = await opened.identity.ask(auditEndpoint, { targetId: id }, admin);
    expect(data.map(({ action, address }) => ({ action, address }))).toEqual([
      { action: 'account.delete', address: '' },
      { action: 'account.request_deletion', address: '' },
    ]);
    expect(JSON.stringify(data)).not.toContain('I found a job');
  });

  it('of a kept account does not happen, even if it is on the job’s list', async () => {
    await request();
    const [row] = await opened.db.query<{ id: string }[]>('SELECT id FROM deletions');
    await opened.identity.ask(privacyEndpoints.cancelDeletion, { id }, asUser());
    pass(DELETION_DAYS);
    expect(await complete(row?.id ?? '')).toEqual({ deleted: false });
    expect((await logIn()).data.id).toBe(id);
  });
});
