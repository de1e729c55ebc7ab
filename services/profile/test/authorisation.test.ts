import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { noteEndpoints } from '@shortlist/contracts/api/notes';
import { noticeEndpoints } from '@shortlist/contracts/api/notices';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { deadLetterEndpoints, statusEndpoint } from '@shortlist/contracts/api/status';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import { days } from '@shortlist/contracts/durations';
import {
  AUTHORISATION,
  type AuthorisationRow,
  authorisationRow,
  NARROW,
} from '@shortlist/kit/testing/authorisation-cases';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { profileFields } from './users.ts';

const { db, drop } = await createTestDb({ ...schema, ...NARROW });
let profile: OpenedService;
beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const endpoints = {
  ...profileEndpoints,
  ...directoryEndpoints,
  ...noteEndpoints,
  ...deadLetterEndpoints,
  status: statusEndpoint,
  ...noticeEndpoints,
  audit: auditEndpoint,
  timeline: timelineEndpoint,
  dataExport: dataExportEndpoints.profile,
};
const anyCaller = { ...AUTHORISATION.usersAndAdmins, anonymous: 'opens', other: null } as const;
/** The access to every endpoint of the service. A missing endpoint is a type error. */
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  storePicture: anyCaller,
  createProfile: { ...anyCaller, user: 403 },
  getProfile: AUTHORISATION.authenticated,
  updateProfile: AUTHORISATION.usersAndAdmins,
  eraseUser: { ...AUTHORISATION.admins, other: 403 },
  listDirectory: AUTHORISATION.admins,
  exportDirectory: AUTHORISATION.admins,
  countDirectory: AUTHORISATION.admins,
  listNewest: AUTHORISATION.admins,
  listNames: AUTHORISATION.admins,
  listFilters: AUTHORISATION.admins,
  saveFilter: { ...AUTHORISATION.admins, other: 403 },
  removeFilter: { ...AUTHORISATION.admins, other: 403 },
  listNotes: { ...AUTHORISATION.admins, other: 403 },
  addNote: { ...AUTHORISATION.admins, other: 403 },
  removeNote: { ...AUTHORISATION.admins, other: 403 },
  status: AUTHORISATION.admins,
  listDeadLetters: AUTHORISATION.admins,
  getDeadLetter: { ...AUTHORISATION.admins, other: 403 },
  replayDeadLetter: { ...AUTHORISATION.admins, other: 403 },
  discardDeadLetter: { ...AUTHORISATION.admins, other: 403 },
  listNotices: AUTHORISATION.admins,
  createNotice: { ...AUTHORISATION.admins, other: 403 },
  changeNotice: { ...AUTHORISATION.admins, other: 403 },
  endNotice: { ...AUTHORISATION.admins, other: 403 },
  currentNotices: AUTHORISATION.users,
  audit: AUTHORISATION.admins,
  timeline: { ...AUTHORISATION.admins, other: 403 },
  dataExport: { ...AUTHORISATION.services, other: 403 },
  sweepPictures: AUTHORISATION.services,
  storePlan: { ...AUTHORISATION.services, other: 403 },
  storeEmail: { ...AUTHORISATION.services, other: 403 },
  listAccountCopies: AUTHORISATION.services,
  stateProfiles: AUTHORISATION.services,
};

const notice = {
  ...{ audience: 'free', tone: 'info', text: 'We moved', linkLabel: '', linkTo: '' },
  from: new Date().toISOString(),
  until: new Date(Date.now() + days(1)).toISOString(),
};

/** Valid inputs of the endpoints with other fields than a profile's. */
const BODIES: Partial<Record<keyof typeof endpoints, object>> = {
  addNote: { text: 'Asked for an invoice' },
  removeNote: {},
  saveFilter: { name: 'Free in Norway', query: { plan: 'free', country: 'Norway' } },
  removeFilter: {},
  replayDeadLetter: {},
  discardDeadLetter: {},
  createNotice: notice,
  changeNotice: notice,
  endNotice: {},
};

it.each(Object.entries(MATRIX))(
  'D1 %s is open to the callers of its row; J2 a pool of two connections is enough',
  async (name, entry) => {
    const endpoint = endpoints[name as keyof typeof endpoints];
    expect(
      await authorisationRow({ ...profile, db }, 'profile', {
        endpoint,
        body: BODIES[name as keyof typeof endpoints] ?? profileFields,
        params: { section: 'profile', position: '0:0' },
      }),
    ).toEqual(entry);
  },
);
