import { creditsDoors } from '@shortlist/contracts/api/credits';
import { ENTRIES, type Entry, NARROW, whoEnters } from '@shortlist/kit/testing/who-enters';
import { afterAll, expect, it } from 'vitest';
import { openCredits } from './support.ts';

const credits = await openCredits(NARROW);
afterAll(() => credits.close());

/** Every door of the service. One that is missing here does not compile. */
const MATRIX: Record<keyof typeof creditsDoors, Entry> = {
  getCredits: ENTRIES.allButStrangers,
  listHistory: ENTRIES.usersAndAdmins,
  spend: ENTRIES.users,
  reserve: ENTRIES.users,
  commitReservation: ENTRIES.users,
  releaseReservation: ENTRIES.users,
  releaseExpired: ENTRIES.services,
  resetDue: ENTRIES.services,
};

it.each(Object.entries(MATRIX))(
  'D1 who enters %s; J2 a pool as narrow as can be is enough',
  async (name, entry) => {
    const asked = { door: creditsDoors[name as keyof typeof creditsDoors], body: { reason: 'email_found' } };
    const headers = { 'idempotency-key': 'a-key-of-mine' };
    expect(await whoEnters(credits, 'credits', { ...asked, headers })).toEqual(entry);
  },
);
