import { recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import {
  TIMELINE_ITEMS,
  TIMELINE_KINDS,
  timelineEndpoint,
  type TimelineEntry,
  type TimelineQuery,
} from '@shortlist/contracts/api/timeline';
import { actionsOf, AUDIT_ACTIONS } from '@shortlist/contracts/audit-log';
import { hours, minutes } from '@shortlist/contracts/durations';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { countStatements } from '@shortlist/kit/testing/databases';
import { readPages } from '@shortlist/kit/testing/read-pages';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ana, openIdentity } from './open-identity.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
let now = START;
const { identity, db, close } = await openIdentity({ clock: () => now });
afterAll(close);

const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
const ORIGIN = { browser: 'Firefox', system: 'macOS', network: '198.51.100.0/24', place: 'Oslo, Norway' };

let userId: string;
beforeEach(async () => {
  now = START;
  userId = await register();
});

const register = async (): Promise<string> => {
  const account = { ...ana, email: `${uuidv7()}@talent.test` };
  const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
  return (await identity.ask(signUpEndpoints.register, account, anonymous)).data.id;
};
const read = async (query: Partial<TimelineQuery> = {}): Promise<TimelineEntry[]> => {
  const all = { userId, items: TIMELINE_ITEMS.join(), limit: 101 };
  return (await identity.ask(timelineEndpoint, { ...all, ...query }, admin)).data;
};
const wait = (ms: number): void => void (now = new Date(now.getTime() + ms));
const logIn = () =>
  identity.ask(
    logInEndpoints.recordSignIn,
    { ...ORIGIN, method: 'password', sessionId: uuidv7(), isKnownDevice: true, id: userId },
    asService(),
  );
const view = () =>
  identity.ask(signInEndpoints.recordViewing, { id: userId, sessionId: uuidv7(), reason: 'A call' }, admin);
const confirm = () => db.query('UPDATE accounts SET email_verified_at = ? WHERE id = ?', [now, userId]);
const record = (action: (typeof AUDIT_ACTIONS)[number], actorId: string) =>
  inTransaction(db, (tx) =>
    recordAction(tx, { action, actorId, targetId: userId, address: '', clock: () => now }),
  );

/** An entry in a few words. */
const told = (entry: TimelineEntry): string => {
  if ('account' in entry) return entry.account.what;
  if ('signIn' in entry) return `sign-in by ${entry.signIn.method}`;
  return 'change' in entry ? entry.change.action : '?';
};
const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id);

describe('identity’s part of the timeline', () => {
  it('has the registration, the confirmation, sign-ins and changes, the newest first', async () => {
    wait(hours(1));
    await confirm();
    wait(minutes(1));
    await logIn();
    wait(minutes(1));
    await view();
    const entries = await read();
    expect(entries.map(told)).toEqual([
      'sign-in by support',
      'account.view',
      'sign-in by password',
      'email_confirmed',
      'registered',
    ]);
    expect(entries[2]).toMatchObject({ at: '2026-03-01T13:01:00.000Z', signIn: { place: 'Oslo, Norway' } });
    expect(entries[1]).toMatchObject({
      change: { actorId: admin.caller.userId, after: { reason: 'A call' } },
    });
    expect(JSON.stringify(entries)).not.toContain('/24');
  });

  it('says nothing of a confirmation with which the account began', async () => {
    await confirm();
    expect((await read()).map(told)).toEqual(['registered']);
  });

  it('has only the items and the kind that are named', async () => {
    await logIn();
    await view();
    await record('key.create', userId);
    const kinds = await Promise.all(TIMELINE_KINDS.map((kind) => read({ kind })));
    expect(kinds.map((entries) => entries.map(told))).toEqual([
      ['registered'],
      ['sign-in by password', 'key.create'],
      [],
      [],
      [],
      ['sign-in by support', 'account.view'],
    ]);
    expect((await read({ items: 'account,email,unknown' })).map(told)).toEqual(['registered']);
    expect(await read({ items: 'change', kind: 'emails' })).toEqual([]);
  });

  it('has each change in one kind, of support if another person made it, otherwise by its action; credits in both', async () => {
    for (const actorId of [userId, SYSTEM_ACTOR_ID, uuidv7()])
      for (const action of AUDIT_ACTIONS) await record(action, actorId);
    await db.query(
      `INSERT INTO audit_log (id, at, actor_id, address, action, target_id)
       VALUES (?, ?, ?, '', 'plan.of_another_release', ?)`,
      [uuidv7(), now, userId, userId],
    );
    const items = 'change';
    const readKind = (kind?: TimelineQuery['kind']) =>
      readPages((page) => read({ items, limit: 30, ...page, ...(kind && { kind }) }));
    const all = await readKind();
    expect(all).toHaveLength(3 * AUDIT_ACTIONS.length + 1);
    const parts = await Promise.all(TIMELINE_KINDS.map(readKind));
    expect(parts.map(({ length }) => length)).toEqual([
      2 * actionsOf('account').length + 1,
      2 * actionsOf('security').length,
      2 * actionsOf('payments').length,
      3 * actionsOf('credits').length, // also those by admins, whom the ledger does not name
      0,
      AUDIT_ACTIONS.length,
    ]);
    expect([...new Set(idsOf(parts.flat()))].toSorted()).toEqual(idsOf(all).toSorted());
  });

  it('has every entry once in pages of any size, also of one millisecond', async () => {
    for (const _ of Array.from({ length: 4 })) {
      await logIn();
      await view();
      await record('key.create', userId);
    }
    const whole = idsOf(await read());
    expect(new Set(whole).size).toBe(17);
    for (const limit of [1, 2, 5])
      expect(idsOf(await readPages((page) => read({ limit, ...page })))).toEqual(whole);
  });

  it('has nothing of another user, and of a deleted one the changes alone, without their text', async () => {
    await view();
    const other = await register();
    expect((await read({ userId: other })).map(told)).toEqual(['registered']);
    await identity.ask(privacyEndpoints.eraseUser, { id: userId }, admin);
    const entries = await read();
    expect(entries.map(told).toSorted()).toEqual(['account.delete', 'account.view']);
    expect(entries.find((entry) => told(entry) === 'account.view')).toMatchObject({
      change: { after: { reason: '(redacted)' } },
    });
  });

  it('is read in three statements, and refuses a malformed cursor', async () => {
    expect(await countStatements(db, () => read())).toBe(3);
    await expect(read({ before: 'yesterday' })).rejects.toMatchObject({
      code: 'request.invalid',
      fields: { before: 'Must be the cursor of a page' },
    });
  });
});
