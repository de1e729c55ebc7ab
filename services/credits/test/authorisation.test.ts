import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import {
  AUTHORISATION,
  type AuthorisationRow,
  NARROW,
  authorisationRow,
} from '@shortlist/kit/testing/authorisation-cases';
import { afterAll, expect, it } from 'vitest';
import { openCredits } from './support.ts';

const credits = await openCredits(NARROW);
afterAll(() => credits.close());

/** Every door of the service. One that is missing here does not compile. */
const MATRIX: Record<keyof typeof creditsEndpoints, AuthorisationRow> = {
  getCredits: AUTHORISATION.authenticated,
  listHistory: AUTHORISATION.usersAndAdmins,
  spend: AUTHORISATION.users,
  reserve: AUTHORISATION.users,
  commitReservation: AUTHORISATION.users,
  releaseReservation: AUTHORISATION.users,
  releaseExpired: AUTHORISATION.services,
  resetDue: AUTHORISATION.services,
};

it.each(Object.entries(MATRIX))(
  'D1 who enters %s; J2 a pool as narrow as can be is enough',
  async (name, entry) => {
    const asked = {
      endpoint: creditsEndpoints[name as keyof typeof creditsEndpoints],
      body: { reason: 'email_found' },
    };
    const headers = { 'idempotency-key': 'a-key-of-mine' };
    expect(await authorisationRow(credits, 'credits', { ...asked, headers })).toEqual(entry);
  },
);
