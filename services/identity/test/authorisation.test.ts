import {
  accessEndpoints,
  apiKeyEndpoints,
  connectionEndpoints,
  toolEndpoints,
} from '@shortlist/contracts/api/connected-apps';
import { auditEndpoint, auditExportEndpoint } from '@shortlist/contracts/api/audit';
import { bulkRecordEndpoint } from '@shortlist/contracts/api/bulk';
import {
  emailChangeEndpoints,
  formerEmailEndpoints,
  emailRetryEndpoints,
  unconfirmedEndpoints,
} from '@shortlist/contracts/api/email';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { dataExportEndpoints, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import { webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { statusEndpoint } from '@shortlist/contracts/api/status';
import { systemRecordEndpoint } from '@shortlist/contracts/api/system';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import {
  AUTHORISATION,
  type AuthorisationRow,
  authorisationRow,
  NARROW,
} from '@shortlist/kit/testing/authorisation-cases';
import { afterAll, expect, it } from 'vitest';
import { openIdentity } from './open-identity.ts';

const { identity, db, close } = await openIdentity(NARROW);
afterAll(close);

const endpoints = {
  ...identityEndpoints,
  ...logInEndpoints,
  ...signInEndpoints,
  ...signUpEndpoints,
  ...privacyEndpoints,
  ...emailChangeEndpoints,
  ...formerEmailEndpoints,
  ...unconfirmedEndpoints,
  ...factorEndpoints,
  ...apiKeyEndpoints,
  ...webhookEndpoints,
  ...connectionEndpoints,
  ...teamEndpoints,
  ...toolEndpoints,
  ...emailRetryEndpoints,
  access: accessEndpoints.getAccess,
  audit: auditEndpoint,
  timeline: timelineEndpoint,
  auditExport: auditExportEndpoint,
  bulkRecord: bulkRecordEndpoint,
  status: statusEndpoint,
  systemRecord: systemRecordEndpoint,
  dataExport: dataExportEndpoints.identity,
};
const REFERENCE = { source: 'device', request: 'BCDF-GHJK' };
const login = {
  unauthenticated: 401,
  anonymous: 'opens',
  user: 403,
  other: null,
  admin: 403,
  service: 403,
} as const;
/** A link of a mail, which a user may open with a session too. */
const mailedLink = { ...login, user: 'opens' } as const;
/** Endpoints of an account about itself: an admin is a caller with another id. */
const ownAccount = { ...AUTHORISATION.usersAndAdmins, admin: 404 } as const;
/** Admins who are owners; the caller of the matrix is not one. */
const owners = { ...AUTHORISATION.admins, admin: 403 } as const;
const ownersOfAdmin = { ...owners, other: 403 } as const;
/** The access to every endpoint of the service. A missing endpoint is a type error. */
const MATRIX: Record<keyof typeof endpoints, AuthorisationRow> = {
  register: { ...login, admin: 'opens' },
  verifyCredentials: login,
  emailAvailability: { ...login, user: 'opens', admin: 'opens' },
  listAdmins: { ...AUTHORISATION.admins, service: 'opens' },
  getAdmin: { ...AUTHORISATION.admins, other: 403, admin: 404 },
  renameAdmin: { ...AUTHORISATION.admins, other: 403, admin: 404 },
  checkPasswordChange: AUTHORISATION.usersAndAdmins,
  changePassword: AUTHORISATION.usersAndAdmins,
  endSession: ownAccount,
  endUserSession: { ...AUTHORISATION.admins, other: 403 },
  endSessions: AUTHORISATION.usersAndAdmins,
  access: AUTHORISATION.usersAndAdmins,
  email: { ...AUTHORISATION.authenticated, admin: 403 },
  requestVerification: AUTHORISATION.users,
  verifyEmail: mailedLink,
  verifyEmailCode: AUTHORISATION.users,
  requestPasswordReset: login,
  checkPasswordReset: login,
  resetPassword: login,
  listUnknownAccounts: AUTHORISATION.services,
  recoverAccounts: AUTHORISATION.services,
  issueMailedToken: AUTHORISATION.services,
  eraseUser: { ...AUTHORISATION.admins, other: 403 },
  getFactors: AUTHORISATION.usersAndAdmins,
  startTotp: ownAccount,
  confirmTotp: ownAccount,
  removeTotp: ownAccount,
  renewRecoveryCodes: ownAccount,
  passkeyOptions: ownAccount,
  addPasskey: ownAccount,
  renamePasskey: ownAccount,
  removePasskey: ownAccount,
  listCredentials: { ...AUTHORISATION.services, other: 403 },
  prove: { ...AUTHORISATION.services, other: 403 },
  logInWithPasskey: login,
  removeFactors: { ...AUTHORISATION.admins, other: 403 },
  listApiKeys: AUTHORISATION.users,
  createApiKey: AUTHORISATION.users,
  revokeApiKey: AUTHORISATION.usersAndAdmins,
  findKeyOwner: AUTHORISATION.services,
  recordKeyUse: { ...AUTHORISATION.services, other: 403 },
  listWebhooks: AUTHORISATION.users,
  createWebhook: AUTHORISATION.users,
  changeWebhook: AUTHORISATION.users,
  deleteWebhook: AUTHORISATION.users,
  rotateWebhookSecret: AUTHORISATION.users,
  listTargets: { ...AUTHORISATION.services, other: 403 },
  recordTry: { ...AUTHORISATION.services, other: 403 },
  findFormerOwners: AUTHORISATION.admins,
  recordEmailRetry: { ...AUTHORISATION.admins, other: 403 },
  stopFailingWebhooks: AUTHORISATION.services,
  listConnections: AUTHORISATION.users,
  endConnection: AUTHORISATION.usersAndAdmins,
  findConnectionRequest: AUTHORISATION.users,
  approveConnectionRequest: AUTHORISATION.users,
  denyConnectionRequest: AUTHORISATION.users,
  findTokenOwner: AUTHORISATION.services,
  recordConnectionUse: { ...AUTHORISATION.services, other: 403 },
  recordSignIn: { ...AUTHORISATION.services, other: 403 },
  recordFailedSignIn: AUTHORISATION.services,
  listSignIns: AUTHORISATION.usersAndAdmins,
  listLastLogIns: AUTHORISATION.admins,
  recordViewing: { ...AUTHORISATION.admins, other: 403 },
  requestEmailChange: AUTHORISATION.users,
  resendEmailChange: AUTHORISATION.users,
  cancelEmailChange: AUTHORISATION.users,
  confirmEmailChange: mailedLink,
  confirmEmailChangeCode: AUTHORISATION.users,
  checkEmailUndo: login,
  undoEmailChange: login,
  getTeam: owners,
  inviteAdmin: owners,
  resendInvitation: ownersOfAdmin,
  cancelInvitation: ownersOfAdmin,
  changeAdminRole: ownersOfAdmin,
  suspendAdmin: ownersOfAdmin,
  restoreAdmin: ownersOfAdmin,
  removeAdmin: ownersOfAdmin,
  endAdminSessions: ownersOfAdmin,
  removeAdminFactors: ownersOfAdmin,
  listTools: AUTHORISATION.admins,
  disableTool: { ...AUTHORISATION.admins, other: 403 },
  enableTool: { ...AUTHORISATION.admins, other: 403 },
  endDisabledConnections: AUTHORISATION.services,
  checkInvitation: login,
  acceptInvitation: login,
  audit: AUTHORISATION.admins,
  timeline: { ...AUTHORISATION.admins, other: 403 },
  auditExport: AUTHORISATION.admins,
  bulkRecord: { ...AUTHORISATION.admins, other: 403 },
  status: AUTHORISATION.admins,
  systemRecord: AUTHORISATION.admins,
  getDeletion: AUTHORISATION.usersAndAdmins,
  requestDeletion: AUTHORISATION.users,
  cancelDeletion: AUTHORISATION.users,
  advanceDeletions: AUTHORISATION.services,
  eraseDueUser: { ...AUTHORISATION.services, other: 403 },
  listUnconfirmed: AUTHORISATION.services,
  remindUnconfirmed: { ...AUTHORISATION.services, other: 403 },
  giveUpAccount: { ...AUTHORISATION.services, other: 403 },
  keepAccount: { ...AUTHORISATION.services, other: 403 },
  getDataExport: AUTHORISATION.users,
  requestDataExport: AUTHORISATION.users,
  removeDataExport: AUTHORISATION.users,
  downloadDataExport: AUTHORISATION.users,
  listWaitingExports: AUTHORISATION.services,
  startExport: { ...AUTHORISATION.services, other: 403 },
  reportExport: { ...AUTHORISATION.services, other: 403 },
  storeExportChunk: { ...AUTHORISATION.services, other: 403 },
  finishExport: { ...AUTHORISATION.services, other: 403 },
  failExport: { ...AUTHORISATION.services, other: 403 },
  dataExport: { ...AUTHORISATION.services, other: 403 },
};

const ceremony = {
  challenge: 'c'.repeat(43),
  origin: 'https://app.shortlist.test',
  response: {
    id: 'c'.repeat(22),
    rawId: 'c'.repeat(22),
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'e30', attestationObject: 'oA' },
  },
};
/** The owner of the endpoints about an account itself is compared after the input is validated. */
const BODIES: Partial<Record<keyof typeof endpoints, object>> = {
  listUnknownAccounts: { ids: [] },
  recoverAccounts: { accounts: [] },
  systemRecord: { action: 'system.retry_job', details: {} },
  endSession: {},
  endUserSession: {},
  endSessions: {},
  requestVerification: {},
  verifyEmailCode: { code: '123456' },
  requestEmailChange: { email: 'ana@talent.test' },
  resendEmailChange: {},
  cancelEmailChange: {},
  confirmEmailChangeCode: { code: '123456' },
  startTotp: {},
  confirmTotp: { code: '123456' },
  removeTotp: {},
  renewRecoveryCodes: {},
  passkeyOptions: { challenge: ceremony.challenge, origin: ceremony.origin, brand: 'Shortlist' },
  addPasskey: { passkey: ceremony, name: 'Laptop' },
  renamePasskey: { name: 'Laptop' },
  removePasskey: {},
  createApiKey: {
    name: 'Zapier',
    scopes: ['credits:read'],
    expiresInDays: null,
    hash: 'c'.repeat(43),
    hint: 'sl_live_4k…x7Qa',
  },
  revokeApiKey: {},
  deleteWebhook: {},
  rotateWebhookSecret: {},
  createWebhook: { url: 'https://example.com/', events: ['credits.low'] },
  changeWebhook: { url: 'https://example.com/', events: ['credits.low'], isOn: true },
  recordTry: { outcome: 'failed', at: '2026-03-01T12:00:00.000Z' },
  endConnection: {},
  findConnectionRequest: REFERENCE,
  approveConnectionRequest: { ...REFERENCE, origin: { browser: '', system: '', network: '', place: '' } },
  denyConnectionRequest: REFERENCE,
  recordConnectionUse: { day: '2026-03-01', network: '192.0.2.0/24' },
  recordKeyUse: { day: '2026-03-01', network: '192.0.2.0/24' },
  requestDeletion: { email: 'ana@talent.test', subscription: 'keep' },
  cancelDeletion: {},
  keepAccount: { keptFor: 'plan' },
  getDataExport: {},
  requestDataExport: {},
  removeDataExport: {},
  inviteAdmin: { email: 'martijn@shortlist.test', role: 'finance' },
  resendInvitation: {},
  cancelInvitation: {},
  renameAdmin: { name: 'Inês Carvalho' },
  changeAdminRole: { role: 'finance' },
  suspendAdmin: { reason: 'On leave' },
  restoreAdmin: {},
  removeAdmin: {},
  disableTool: {},
  enableTool: {},
  endAdminSessions: {},
  removeAdminFactors: { reason: 'Lost the phone' },
};

it.each(Object.entries(MATRIX))(
  'D1 %s is open to the callers of its row; J2 a pool of two connections is enough',
  async (name, entry) => {
    const endpoint = endpoints[name as keyof typeof endpoints];
    expect(
      await authorisationRow({ ...identity, db }, 'identity', {
        endpoint,
        params: { section: 'account', attempt: '1', position: '0' },
        body: BODIES[name as keyof typeof BODIES] ?? { password: 'open sesame' },
      }),
    ).toEqual(entry);
  },
);
