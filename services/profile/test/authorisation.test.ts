import { auditDoor } from '@shortlist/contracts/api/audit';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import { ENTRIES, type Entry, NARROW, whoEnters } from '@shortlist/kit/testing/who-enters';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { shown } from './people.ts';

const { db, drop } = await createTestDb({ ...schema, ...NARROW });
let profile: OpenedService;
beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const doors = { ...profileDoors, audit: auditDoor };
const everybody = { ...ENTRIES.usersAndAdmins, anonymous: 'opens', other: null } as const;
/** Every door of the service. One that is missing here does not compile. */
const MATRIX: Record<keyof typeof doors, Entry> = {
  storePicture: everybody,
  createProfile: { ...everybody, user: 403 },
  getProfile: ENTRIES.allButStrangers,
  updateProfile: ENTRIES.usersAndAdmins,
  deleteProfile: { ...ENTRIES.admins, other: 403 },
  listDirectory: ENTRIES.admins,
  exportDirectory: ENTRIES.admins,
  listNewest: ENTRIES.admins,
  audit: ENTRIES.admins,
  sweepPictures: ENTRIES.services,
  keepPlan: { ...ENTRIES.services, other: 403 },
};

it.each(Object.entries(MATRIX))(
  'D1 who enters %s; J2 a pool as narrow as can be is enough',
  async (name, entry) => {
    const door = doors[name as keyof typeof doors];
    expect(await whoEnters(profile, 'profile', { door, body: shown })).toEqual(entry);
  },
);
