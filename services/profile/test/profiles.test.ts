import { asService } from '@shortlist/kit/http/http-client';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { type NewProfile, type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { directoryEndpoints, type DirectoryQuery } from '@shortlist/contracts/api/directory';
import * as billing from '@shortlist/contracts/events/billing';
import type { EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import type { PaymentProblemKind, PlanState } from '@shortlist/contracts/plan';
import { openTestService, type OpenedService, STRICT } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { insertUserRows, listTablesWith } from '@shortlist/kit/testing/user-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const service = asService();
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const newProfile = (more: Partial<NewProfile> = {}): NewProfile => {
  const id = more.id ?? newId();
  return {
    id,
    email: `${id}@talent.test`,
    ...profileFields,
    picture: null,
    createdAt: '2026-03-01T12:00:00.000Z',
    ...more,
  };
};
const create = async (more: Partial<NewProfile> = {}): Promise<Profile> =>
  (await profile.ask(profileEndpoints.createProfile, newProfile(more), anonymous)).data;
const find = async (id: string): Promise<Profile> =>
  (await profile.ask(profileEndpoints.getProfile, { id }, service)).data;
const change = (id: string, more: { city?: string; version?: number; picture?: string }) => {
  const { id: _id, email: _email, createdAt: _at, picture: _picture, ...fields } = newProfile({ id });
  return profile.ask(
    profileEndpoints.updateProfile,
    { ...fields, id, ...more },
    { caller: { role: 'user', userId: id }, headers: STRICT },
  );
};

const publish = async <Data>(type: EventType<Data>, subject: string, data: Data): Promise<void> => {
  const event = eventOf(type, subject, data);
  await profile.bus.publish(type.topic, [{ key: subject, value: JSON.stringify(event) }]);
  await profile.bus.release(); // resolves when all published events are handled
};
const plan = (version: number, end: string | null): PlanState => ({
  version,
  paid:
    end === null ? null : { key: `in_${version}`, start: '2026-01-01T00:00:00.000Z', end, graceUntil: null },
  granted: null,
});
const FAR = '2999-01-01T00:00:00.000Z';
const granted = (id: string, state: PlanState): Promise<void> =>
  publish(billing.planGranted, id, { by: 'root', reason: 'test', planState: state });
const listedPlan = async (id: string): Promise<string | undefined> => {
  const { data } = await profile.ask(directoryEndpoints.listDirectory, { search: id }, admin);
  return data[0]?.plan;
};

describe('a profile', () => {
  it('is created by the sign-up, and the event after it changes nothing', async () => {
    const created = await create();
    const { id, version: _, ...fields } = created;
    await publish(userRegistered, id, { ...fields, city: 'Olinda' });
    expect(await find(id)).toEqual(created);
  });

  it('is created by the event if the sign-up was interrupted', async () => {
    const { id, ...fields } = newProfile();
    await publish(userRegistered, id, fields);
    expect(await find(id)).toMatchObject({ ...fields, id });
  });

  it('shows an edit at once, with the next version', async () => {
    const { id, version } = await create();
    const { data } = await change(id, { city: 'Olinda' });
    expect(data).toMatchObject({ city: 'Olinda', version: version + 1 });
    expect(await find(id)).toEqual(data);
  });

  it('keeps an optional field that an edit of an older page leaves out, and clears one that it empties', async () => {
    const linkedin = 'https://linkedin.com/in/ana';
    const { id } = await create({ linkedin });
    const { linkedin: _, ...fields } = profileFields;
    const caller = { role: 'user', userId: id } as const;
    const edit = (more: { linkedin?: string }) =>
      profile.ask(profileEndpoints.updateProfile, { ...fields, id, ...more }, { caller });
    await edit({});
    expect((await find(id)).linkedin).toBe(linkedin);
    await edit({ linkedin: '' });
    expect((await find(id)).linkedin).toBe('');
  });

  it('has a LinkedIn URL of 300 non-ASCII characters, which is at least nine times as long encoded', async () => {
    const { id } = await create();
    const caller = { role: 'user', userId: id } as const;
    for (const letter of ['张', '😀']) {
      const linkedin = `https://linkedin.com/in/${letter.repeat(276)}`;
      const edited = { ...profileFields, id, linkedin: encodeURI(linkedin) };
      await profile.ask(profileEndpoints.updateProfile, edited, { caller });
      expect((await find(id)).linkedin).toBe(linkedin);
    }
  });

  it('accepts one of two edits of the same version, and the other changes nothing', async () => {
    const { id, version } = await create();
    const results = await Promise.allSettled([
      change(id, { city: 'Olinda', version }),
      change(id, { city: 'Natal', version }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'profile.version_conflict' });
    expect((await find(id)).version).toBe(version + 1);
  });

  it('D2 does not change plan, address, dates or owner by an edit', async () => {
    const { id } = await create();
    await granted(id, plan(3, FAR));
    const row = async (): Promise<Record<string, unknown>> =>
      (await db.query<Record<string, unknown>[]>('SELECT * FROM profiles WHERE user_id = ?', [id]))[0] ?? {};
    const before = await row();
    const more = {
      plan: 'free',
      role: 'admin',
      composed: 0,
      user_id: newId(),
      createdAt: '2001-01-01T00:00:00.000Z',
      created_at: '2001-01-01T00:00:00.000Z',
      current_period_end: '2999-01-01T00:00:00.000Z',
      premiumUntil: null,
      planVersion: 99,
      stripe_customer_id: 'cus_other',
    };
    for (const [name, value] of Object.entries({ ...more, email: 'other@talent.test' }))
      await expect(change(id, { city: 'Olinda', [name]: value })).rejects.toMatchObject({
        status: 400,
        fields: { [name]: 'There is no field with this name' },
      });
    expect(await row()).toEqual(before);
  });

  it.each(['-1', '9'.repeat(200), "1' OR '1'='1", '__proto__', '["a"]', '{"$ne":null}', 'constructor'])(
    'D3 with the id %s is refused',
    async (id) => {
      await expect(profile.ask(profileEndpoints.getProfile, { id }, service)).rejects.toMatchObject({
        status: 400,
      });
      await expect(profile.ask(profileEndpoints.eraseUser, { id }, admin)).rejects.toMatchObject({
        status: 400,
      });
      await expect(change(id, {})).rejects.toMatchObject({ status: 400 });
    },
  );

  it('S5 of another user is not found', async () => {
    const { id } = await create();
    const other = { caller: { role: 'user', userId: newId() } } as const;
    await expect(profile.ask(profileEndpoints.getProfile, { id }, other)).rejects.toMatchObject({
      status: 404,
    });
  });

  it('is not created again after its deletion, by any later event or request', async () => {
    const { id, version: _, ...fields } = await create();
    await granted(id, plan(1, FAR));
    await publish(userDeleted, id, { by: 'root', generation: 1 });
    await granted(id, plan(2, FAR));
    await publish(userRegistered, id, fields);
    await profile.ask(profileEndpoints.createProfile, { id, ...fields }, anonymous).catch(() => undefined);
    await expect(find(id)).rejects.toMatchObject({ code: 'profile.deleted' });
    const request = profile.ask(profileEndpoints.getProfile, { id }, admin);
    await expect(request).rejects.toMatchObject({ code: 'profile.not_found' });
    expect(await db.query('SELECT * FROM early_plans WHERE user_id = ?', [id])).toEqual([]);
  });

  it('and every other row of the user is deleted, except for a mark and the audit log', async () => {
    const { id } = await create();
    const tables = await insertUserRows(db, id);
    expect(await listTablesWith(db, id)).toEqual(tables);
    await db.query('DELETE FROM deleted_users WHERE user_id = ?', [id]);
    await publish(userDeleted, id, { by: 'root', generation: 1 });
    expect(await listTablesWith(db, id)).toEqual(['audit_log', 'deleted_users']);
  });

  it('is redacted in the audit log after its deletion', async () => {
    const { id, version: _, email: _email, createdAt: _at, picture: _picture, ...fields } = await create();
    await profile.ask(profileEndpoints.updateProfile, { ...fields, id, city: 'Olinda' }, admin);
    await publish(userDeleted, id, { by: 'root', generation: 1 });
    const [entry, ...more] = await db.query<{ before_state: string; after_state: string }[]>(
      'SELECT before_state, after_state FROM audit_log WHERE target_id = ?',
      [id],
    );
    expect(more).toEqual([]);
    expect(JSON.parse(entry?.before_state ?? '')).toMatchObject({ city: '(redacted)', version: 1 });
    expect(JSON.parse(entry?.after_state ?? '')).toMatchObject({ city: '(redacted)', version: 2 });
    expect(`${entry?.before_state}${entry?.after_state}`).not.toContain(fields.firstName);
  });

  it('is not created when its deletion arrives before its registration', async () => {
    const { id, ...fields } = newProfile();
    await publish(userDeleted, id, { by: 'root', generation: 1 });
    await publish(userRegistered, id, fields);
    await expect(find(id)).rejects.toMatchObject({ code: 'profile.deleted' });
  });
});

describe('the copy of a plan', () => {
  it('H3 that arrives before the registration is stored until then', async () => {
    const { id, ...fields } = newProfile();
    await granted(id, plan(3, FAR));
    await granted(id, plan(2, null));
    await publish(userRegistered, id, fields);
    expect(await listedPlan(id)).toBe('premium');
  });

  it('H3 is changed by a newer plan state, but not by an older one', async () => {
    const { id } = await create();
    await granted(id, plan(5, FAR));
    await granted(id, plan(4, null));
    expect(await listedPlan(id)).toBe('premium');
    await granted(id, plan(6, null));
    expect(await listedPlan(id)).toBe('free');
  });
});

describe("the copy of a payment's problem", () => {
  const listed = async (id: string) => {
    const { data } = await profile.ask(
      directoryEndpoints.listDirectory,
      { search: id, payment: 'problem' },
      admin,
    );
    return data.map(({ paymentProblem }) => paymentProblem);
  };
  const changed = (id: string, version: number, problem?: PaymentProblemKind | null) =>
    publish(billing.subscriptionChanged, id, {
      reason: 'test',
      planState: plan(version, null),
      ...(problem === undefined ? {} : { problem }),
    });

  it('is found by its filter, even together with terms, until a newer event lacks it', async () => {
    const { id } = await create();
    await changed(id, 2, 'past_due');
    expect(await listed(id)).toEqual(['past_due']);
    await changed(id, 1, null); // late
    expect(await listed(id)).toEqual(['past_due']);
    await changed(id, 3); // of a billing without the field
    expect(await listed(id)).toEqual([]);
  });

  it('that arrives before the registration is stored until then, and survives an edit', async () => {
    const { id, ...fields } = newProfile();
    await changed(id, 3, 'paused');
    await changed(id, 2, 'past_due');
    await publish(userRegistered, id, fields);
    await change(id, { city: 'Olinda' });
    expect(await listed(id)).toEqual(['paused']);
  });

  it('is deleted with the user, and no later event restores it', async () => {
    const { id } = await create();
    await changed(id, 1, 'past_due');
    await publish(userDeleted, id, { by: 'root', generation: 1 });
    await changed(id, 2, 'past_due');
    expect(await listed(id)).toEqual([]);
    expect(await db.query('SELECT * FROM early_plans WHERE user_id = ?', [id])).toEqual([]);
  });
});

describe('the directory', () => {
  const list = (query: DirectoryQuery) => profile.ask(directoryEndpoints.listDirectory, query, admin);

  it('lists each user once over all pages, in order, even if rows have equal values', async () => {
    const country = COUNTRIES[7] ?? '';
    const names = ['Eva', 'Ada', 'Ida', 'Ada', 'Uma'];
    for (const firstName of names) await create({ firstName, country });
    const listed: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ country, sort: 'name', limit: 2, ...(cursor ? { cursor } : {}) });
      listed.push(...page.data.map(({ firstName }) => firstName));
      expect(page.total).toBe(5);
      cursor = page.next;
    }
    expect(listed).toEqual(names.toSorted());
  });

  it('finds users by terms of name, email or organisation, and does not treat % and _ as wildcards', async () => {
    const { id } = await create({ organizationName: '100%_sure Ltd' });
    for (const search of ['100%_sure', id])
      expect((await list({ search })).data.map((row) => row.id)).toEqual([id]);
    expect((await list({ search: 'x%y' })).data).toEqual([]);
  });

  it('D4 is open to admins only, and refuses a cursor that it did not create', async () => {
    const asUser = { caller: { role: 'user', userId: newId() } } as const;
    await expect(profile.ask(directoryEndpoints.listDirectory, {}, asUser)).rejects.toMatchObject({
      status: 403,
    });
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'request.stale_cursor' });
  });
});
