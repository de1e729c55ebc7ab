import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { type NewProfile, type ProfileChange, profileEndpoints } from '@shortlist/contracts/api/profile';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { OPTION_LISTS } from '@shortlist/contracts/option-lists';
import { type ProfileField, profileFields } from '@shortlist/contracts/profile-fields';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { profileEntity } from '../src/profiles/queries.ts';
import { newId } from './users.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

/** A valid value that differs from field to field; `version` selects another one. */
const valueOf = ({ name, options, control, site }: ProfileField, version: number): string => {
  if (site !== undefined) return `https://${site}/in/${name}-${version}`;
  const choices = options && control !== 'suggestions' ? OPTION_LISTS[options] : [];
  return choices[version] ?? `${name} ${version}`;
};
const valuesOf = (version: number) =>
  Object.fromEntries(profileFields.map((field) => [field.name, valueOf(field, version)]));

const newProfile = (version: number): NewProfile => {
  const id = newId();
  const values = valuesOf(version) as NewProfile;
  return { ...values, id, email: `${id}@talent.test`, picture: null, createdAt: '2026-03-01T12:00:00.000Z' };
};
const read = async (id: string) => (await profile.ask(profileEndpoints.getProfile, { id }, admin)).data;

describe('every profile field', () => {
  it.each(profileFields.map((field) => [field.name, field] as const))(
    '%s has its column, wide enough for its longest value',
    async (name, { column, max }) => {
      expect(profileEntity.options.columns[name]).toMatchObject({ name: column });
      const [row] = await db.query<{ size: number }[]>(
        `SELECT character_maximum_length AS size FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name = 'profiles' AND column_name = ?`,
        [column],
      );
      expect(Number(row?.size)).toBeGreaterThanOrEqual(max);
    },
  );

  it('is stored by a sign-up and changed by an edit', async () => {
    const { id, ...created } = newProfile(0);
    await profile.ask(profileEndpoints.createProfile, { id, ...created }, admin);
    expect(await read(id)).toMatchObject(valuesOf(0));
    const change = { ...valuesOf(1), id } as ProfileChange;
    await profile.ask(profileEndpoints.updateProfile, change, admin);
    expect(await read(id)).toMatchObject(valuesOf(1));
  });

  it('is stored from UserRegistered', async () => {
    const { id, ...data } = newProfile(0);
    const event = eventOf(userRegistered, id, data);
    await profile.bus.publish(userRegistered.topic, [{ key: id, value: JSON.stringify(event) }]);
    await profile.bus.release();
    expect(await read(id)).toMatchObject(valuesOf(0));
  });

  it('with a csvHeader is exported under it, and others are not', async () => {
    const created = newProfile(1);
    await profile.ask(profileEndpoints.createProfile, created, admin);
    const token = await profile.sign('profile', admin.caller);
    const response = await fetch(
      `${profile.url}${directoryEndpoints.exportDirectory.path}?search=${created.id}`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    );
    const [header = '', line = ''] = (await response.text()).split('\r\n');
    for (const field of profileFields) {
      expect(line.includes(valueOf(field, 1)), field.name).toBe(field.csvHeader !== null);
      if (field.csvHeader !== null) expect(header.split(',')).toContain(field.csvHeader);
    }
  });
});
