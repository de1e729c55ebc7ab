import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import {
  AUTHORISATION,
  type AuthorisationRow,
  NARROW,
  authorisationRow,
} from '@shortlist/kit/testing/authorisation-cases';
import { afterAll, expect, it } from 'vitest';
import { openIdentity } from './open-identity.ts';

const { identity, close } = await openIdentity(NARROW);
afterAll(close);

const endpoints = { ...identityEndpoints, audit: auditEndpoint };
const login = {
  unauthenticated: 401,
  anonymous: 'opens',
  user: 403,
  other: null,
  admin: 403,
  service: 403,
} as const;
/** The access to every endpoint of the service. A missing endpoint is a type error. */
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  register: { ...login, admin: 'opens' },
  verifyCredentials: login,
  emailAvailability: { ...login, user: 'opens', admin: 'opens' },
  adminEmails: AUTHORISATION.admins,
  listAdmins: AUTHORISATION.services,
  checkPasswordChange: AUTHORISATION.usersAndAdmins,
  changePassword: AUTHORISATION.usersAndAdmins,
  endSessions: { ...AUTHORISATION.admins, other: 403 },
  requestPasswordReset: login,
  checkPasswordReset: login,
  resetPassword: login,
  issueMailedToken: AUTHORISATION.services,
  deleteAccount: { ...AUTHORISATION.admins, other: 403 },
  audit: AUTHORISATION.admins,
};

it.each(Object.entries(MATRIX))(
  'D1 %s is open to the callers of its row; J2 a pool of two connections is enough',
  async (name, entry) => {
    const endpoint = endpoints[name as keyof typeof endpoints];
    expect(
      await authorisationRow(identity, 'identity', { endpoint, body: { password: 'open sesame' } }),
    ).toEqual(entry);
  },
);
