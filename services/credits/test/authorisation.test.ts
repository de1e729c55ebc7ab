import { bucketEndpoints, creditsEndpoints } from '@shortlist/contracts/api/credits';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { deadLetterEndpoints, statusEndpoint } from '@shortlist/contracts/api/status';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import {
  AUTHORISATION,
  type AuthorisationRow,
  authorisationRow,
  NARROW,
} from '@shortlist/kit/testing/authorisation-cases';
import { afterAll, expect, it } from 'vitest';
import { openCredits } from './support.ts';

const credits = await openCredits(NARROW);
afterAll(() => credits.close());

const endpoints = {
  ...creditsEndpoints,
  ...bucketEndpoints,
  ...deadLetterEndpoints,
  status: statusEndpoint,
  audit: auditEndpoint,
  timeline: timelineEndpoint,
  dataExport: dataExportEndpoints.credits,
};
/** The access to every endpoint of the service. A missing endpoint is a type error. */
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  getCredits: AUTHORISATION.authenticated,
  getBalance: AUTHORISATION.users,
  listHistory: AUTHORISATION.usersAndAdmins,
  getUsage: AUTHORISATION.usersAndAdmins,
  getCreditMails: AUTHORISATION.users,
  setCreditMails: AUTHORISATION.users,
  turnOffCreditMails: { ...AUTHORISATION.services, other: 403 },
  spend: AUTHORISATION.users,
  reserve: AUTHORISATION.users,
  commitReservation: AUTHORISATION.users,
  releaseReservation: AUTHORISATION.users,
  releaseExpired: AUTHORISATION.services,
  resetDue: AUTHORISATION.services,
  listBuckets: { ...AUTHORISATION.admins, other: 403 },
  listBalances: AUTHORISATION.admins,
  grantCredits: { ...AUTHORISATION.admins, other: 403 },
  revokeCredits: { ...AUTHORISATION.admins, other: 403 },
  status: AUTHORISATION.admins,
  listDeadLetters: AUTHORISATION.admins,
  getDeadLetter: { ...AUTHORISATION.admins, other: 403 },
  replayDeadLetter: { ...AUTHORISATION.admins, other: 403 },
  discardDeadLetter: { ...AUTHORISATION.admins, other: 403 },
  audit: AUTHORISATION.admins,
  timeline: { ...AUTHORISATION.admins, other: 403 },
  dataExport: { ...AUTHORISATION.services, other: 403 },
};

/** The bodies that endpoints require. */
const BODIES: Partial<Record<string, object>> = {
  spend: { reason: 'email_found' },
  reserve: { reason: 'email_found' },
  setCreditMails: { enabled: false },
  grantCredits: { credits: 5, lastDay: '2026-03-31', reason: 'asked' },
};

it.each(Object.entries(MATRIX))(
  'D1 %s is open to the callers of its row; J2 a pool of two connections is enough',
  async (name, entry) => {
    const request = {
      endpoint: endpoints[name as keyof typeof endpoints],
      body: BODIES[name] ?? {},
    };
    const headers = { 'idempotency-key': 'operation-1' };
    const params = { section: 'windows', position: '0:0' };
    expect(await authorisationRow(credits, 'credits', { ...request, headers, params })).toEqual(entry);
  },
);
