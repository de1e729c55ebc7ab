import { identityDoors } from '@shortlist/contracts/api/identity';
import { auditDoor } from '@shortlist/contracts/api/audit';
import { ENTRIES, type Entry, NARROW, whoEnters } from '@shortlist/kit/testing/who-enters';
import { afterAll, expect, it } from 'vitest';
import { openIdentity } from './open-identity.ts';

const { identity, close } = await openIdentity(NARROW);
afterAll(close);

const doors = { ...identityDoors, audit: auditDoor };
const login = {
  stranger: 401,
  anonymous: 'opens',
  user: 403,
  other: null,
  admin: 403,
  service: 403,
} as const;
/** Every door of the service. One that is missing here does not compile. */
const MATRIX: Record<keyof typeof doors, Entry> = {
  register: { ...login, admin: 'opens' },
  verifyCredentials: login,
  emailAvailability: { ...login, user: 'opens', admin: 'opens' },
  adminEmails: ENTRIES.admins,
  changePassword: ENTRIES.usersAndAdmins,
  deleteAccount: { ...ENTRIES.admins, other: 403 },
  audit: ENTRIES.admins,
};

it.each(Object.entries(MATRIX))(
  'D1 who enters %s; J2 a pool as narrow as can be is enough',
  async (name, entry) => {
    const door = doors[name as keyof typeof doors];
    expect(await whoEnters(identity, 'identity', { door, body: { password: 'open sesame' } })).toEqual(entry);
  },
);
