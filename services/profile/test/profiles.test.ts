import { type NewProfile, type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import type { DirectoryQuery } from '@shortlist/contracts/api/public';
import * as billing from '@shortlist/contracts/events/billing';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import type { PlanState } from '@shortlist/contracts/plan';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, shown } from './people.ts';

const { db, drop } = await createTestDb(schema);
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const service = { caller: { role: 'service', userId: null } } as const;
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const person = (more: Partial<NewProfile> = {}): NewProfile => {
  const id = more.id ?? newId();
  return {
    id,
    email: `${id}@talent.test`,
    ...shown,
    picture: null,
    createdAt: '2026-03-01T12:00:00.000Z',
    ...more,
  };
};
const create = async (more: Partial<NewProfile> = {}): Promise<Profile> =>
  (await profile.ask(profileEndpoints.createProfile, person(more), anonymous)).data;
const find = async (id: string): Promise<Profile> =>
  (await profile.ask(profileEndpoints.getProfile, { id }, service)).data;
const change = (id: string, more: { city?: string; version?: number; picture?: string }) => {
  const { id: _id, email: _email, createdAt: _at, picture: _picture, ...fields } = person({ id });
  return profile.ask(
    profileEndpoints.updateProfile,
    { ...fields, id, ...more },
    { caller: { role: 'user', userId: id } },
  );
};

let events = 0;
const say = async <Data>(type: EventType<Data>, subject: string, data: Data): Promise<void> => {
  const event: CloudEvent<Data> = {
    specversion: '1.0',
    id: `0198a0b0-0000-7000-9000-${String((events += 1)).padStart(12, '0')}`,
    source: `/${type.emitter}`,
    type: type.type,
    subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    traceparent: '',
    data,
  };
  await profile.bus.publish(type.topic, [{ key: subject, value: JSON.stringify(event) }]);
  await profile.bus.release(); // resolves when everything published so far was heard
};
const plan = (version: number, end: string | null): PlanState => ({
  version,
  paid:
    end === null ? null : { key: `in_${version}`, start: '2026-01-01T00:00:00.000Z', end, graceUntil: null },
  granted: null,
});
const FAR = '2999-01-01T00:00:00.000Z';
const granted = (id: string, state: PlanState): Promise<void> =>
  say(billing.planGranted, id, { by: 'root', reason: 'test', planState: state });
const shownPlan = async (id: string): Promise<string | undefined> => {
  const { data } = await profile.ask(profileEndpoints.listDirectory, { search: id }, admin);
  return data[0]?.plan;
};

describe('a profile', () => {
  it('is added by the sign-up, and the fact that comes after changes nothing', async () => {
    const added = await create();
    const { id, version: _, ...fields } = added;
    await say(userRegistered, id, { ...fields, city: 'Olinda' });
    expect(await find(id)).toEqual(added);
  });

  it('is added by the fact alone when the sign-up was cut off', async () => {
    const { id, ...fields } = person();
    await say(userRegistered, id, fields);
    expect(await find(id)).toMatchObject({ ...fields, id });
  });

  it('shows an edit at once, under the next version', async () => {
    const { id, version } = await create();
    const { data } = await change(id, { city: 'Olinda' });
    expect(data).toMatchObject({ city: 'Olinda', version: version + 1 });
    expect(await find(id)).toEqual(data);
  });

  it('of two edits that saw the same version one is refused and changes nothing', async () => {
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

  it('D2 keeps what an edit may not say: plan, address, dates, whose it is', async () => {
    const { id, version } = await create();
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
    await change(id, { city: 'Olinda', ...(more as object) });
    expect(await row()).toEqual({ ...before, city: 'Olinda', version: version + 1 });
    await expect(change(id, { email: 'other@talent.test' } as object)).rejects.toMatchObject({ status: 400 });
    expect(await row()).toMatchObject({ email: before['email'] });
  });

  it.each(['-1', '9'.repeat(200), "1' OR '1'='1", '__proto__', '["a"]', '{"$ne":null}', 'constructor'])(
    'D3 of %s is asked of nobody',
    async (id) => {
      await expect(profile.ask(profileEndpoints.getProfile, { id }, service)).rejects.toMatchObject({
        status: 400,
      });
      await expect(profile.ask(profileEndpoints.deleteProfile, { id }, admin)).rejects.toMatchObject({
        status: 400,
      });
      await expect(change(id, {})).rejects.toMatchObject({ status: 400 });
    },
  );

  it('S5 of somebody else is not there', async () => {
    const { id } = await create();
    const other = { caller: { role: 'user', userId: newId() } } as const;
    await expect(profile.ask(profileEndpoints.getProfile, { id }, other)).rejects.toMatchObject({
      status: 404,
    });
  });

  it('once deleted never comes back, whatever is heard or asked later', async () => {
    const { id, version: _, ...fields } = await create();
    await granted(id, plan(1, FAR));
    await say(userDeleted, id, { by: 'root' });
    await granted(id, plan(2, FAR));
    await say(userRegistered, id, fields);
    await profile.ask(profileEndpoints.createProfile, { id, ...fields }, anonymous).catch(() => undefined);
    await expect(find(id)).rejects.toMatchObject({ code: 'profile.deleted' });
    const asked = profile.ask(profileEndpoints.getProfile, { id }, admin);
    await expect(asked).rejects.toMatchObject({ code: 'profile.not_found' });
    expect(await db.query('SELECT * FROM early_plans WHERE user_id = ?', [id])).toEqual([]);
  });

  it('once deleted is in the notes about it without a word of its own', async () => {
    const { id, version: _, email: _email, createdAt: _at, picture: _picture, ...fields } = await create();
    await profile.ask(profileEndpoints.updateProfile, { ...fields, id, city: 'Olinda' }, admin);
    await say(userDeleted, id, { by: 'root' });
    const [note, ...more] = await db.query<{ before_state: string; after_state: string }[]>(
      'SELECT before_state, after_state FROM audit_log WHERE target_id = ?',
      [id],
    );
    expect(more).toEqual([]);
    expect(JSON.parse(note?.before_state ?? '')).toMatchObject({ city: '(redacted)', version: 1 });
    expect(JSON.parse(note?.after_state ?? '')).toMatchObject({ city: '(redacted)', version: 2 });
    expect(`${note?.before_state}${note?.after_state}`).not.toContain(fields.firstName);
  });

  it('deleted before it was heard of does not appear', async () => {
    const { id, ...fields } = person();
    await say(userDeleted, id, { by: 'root' });
    await say(userRegistered, id, fields);
    await expect(find(id)).rejects.toMatchObject({ code: 'profile.deleted' });
  });
});

describe('the copy of a plan', () => {
  it('H3 heard before its person is kept until the person comes', async () => {
    const { id, ...fields } = person();
    await granted(id, plan(3, FAR));
    await granted(id, plan(2, null));
    await say(userRegistered, id, fields);
    expect(await shownPlan(id)).toBe('premium');
  });

  it('H3 an older state changes nothing, a newer one does', async () => {
    const { id } = await create();
    await granted(id, plan(5, FAR));
    await granted(id, plan(4, null));
    expect(await shownPlan(id)).toBe('premium');
    await granted(id, plan(6, null));
    expect(await shownPlan(id)).toBe('free');
  });
});

describe('the directory', () => {
  const list = (query: DirectoryQuery) => profile.ask(profileEndpoints.listDirectory, query, admin);

  it('shows each person once over all pages, in order, though rows share their date', async () => {
    const country = COUNTRIES[7] ?? '';
    const names = ['Eva', 'Ada', 'Ida', 'Ada', 'Uma'];
    for (const firstName of names) await create({ firstName, country });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ country, sort: 'name', limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.data.map(({ firstName }) => firstName));
      expect(page.total).toBe(5);
      cursor = page.next;
    }
    expect(seen).toEqual(names.toSorted());
  });

  it('finds by a part of name, address or organisation, and takes % and _ for what they are', async () => {
    const { id } = await create({ organizationName: '100%_sure Ltd' });
    for (const search of ['100%_sure', id])
      expect((await list({ search })).data.map((row) => row.id)).toEqual([id]);
    expect((await list({ search: 'x%y' })).data).toEqual([]);
  });

  it('D4 is open to admins alone, and refuses a page that it did not make', async () => {
    const asUser = { caller: { role: 'user', userId: newId() } } as const;
    await expect(profile.ask(profileEndpoints.listDirectory, {}, asUser)).rejects.toMatchObject({
      status: 403,
    });
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({
      fields: { cursor: expect.any(String) as string },
    });
  });
});
