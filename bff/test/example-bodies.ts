import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { passkeyAnswer } from './fake-identity.ts';
import type { EndpointName } from './requests.ts';

const [email, password] = ['worst.body@talent.test', 'open sesame'];
const profile = exampleProfile({ lastName: 'Okafor' });
const token = 'A'.repeat(43);
const passkey = passkeyAnswer(token);
const registration = {
  ...passkey,
  response: { clientDataJSON: passkey.response.clientDataJSON, attestationObject: 'AA' },
};
/** An ordinary body of each endpoint that takes one. */
export const EXAMPLE_BODIES: Partial<Record<EndpointName | 'stripeWebhook' | 'sendgridWebhook', object>> = {
  signup: { email, password, ...profile },
  updateUser: profile,
  login: { email, password },
  adminLogin: { email, password },
  verifyEmail: { token },
  verifyEmailCode: { code: '123456' },
  requestEmailChange: { email },
  confirmEmailChange: { token },
  confirmEmailChangeCode: { code: '123456' },
  checkEmailUndo: { token },
  undoEmailChange: { token, password },
  forgotPassword: { email },
  checkReset: { token },
  resetPassword: { token, password },
  changePassword: { currentPassword: password, password },
  confirmPayment: { xsl: 'cs_test_1' },
  confirmPack: { xsl: 'cs_test_1' },
  chargeCredit: { reason: 'email_found' },
  reserveCredit: { reason: 'email_found' },
  setCreditMails: { enabled: false },
  revokePlan: { reason: 'asked' },
  renameOwnAdmin: { name: 'Ada Byron' },
  resolveAlert: { note: 'refunded' },
  reopenAlert: { note: 'it came back' },
  secondFactor: { ticket: token, passkey },
  secondFactorPasskey: { ticket: token },
  passkeyLogIn: { passkey, role: 'user' },
  reauthenticate: { passkey },
  confirmTotp: { code: '123456' },
  addPasskey: { passkey: registration, name: 'Phone' },
  renamePasskey: { name: 'Phone' },
  createWebhook: { url: 'https://example.com/hook', events: ['credits.low'] },
  changeWebhook: { url: 'https://example.com/hook', events: ['credits.low'], isOn: true },
  createApiKey: { name: 'Weekly report', scopes: ['credits:read'], expiresInDays: 90 },
  grantCredits: { credits: 50, lastDay: '2026-12-31', reason: 'asked' },
  findConnectionRequest: { source: 'device', request: 'BCDF-GHJK' },
  approveConnection: { source: 'device', request: 'BCDF-GHJK' },
  denyConnection: { source: 'device', request: 'BCDF-GHJK' },
  removeUserFactors: { reason: 'lost phone' },
  endUserKey: { reason: 'leaked' },
  endUserConnection: { reason: 'leaked' },
  endOtherSessions: { withAccess: true },
  endAllSessions: { withAccess: true },
  endUserSessions: { withAccess: true },
  startViewing: { reason: 'asked' },
  requestDeletion: { email, subscription: 'keep', reason: 'no need' },
  inviteAdmin: { email, role: 'support' },
  changeAdminRole: { role: 'support' },
  suspendAdmin: { reason: 'left' },
  removeAdminFactors: { reason: 'lost phone' },
  checkInvitation: { token },
  acceptInvitation: { token, password, name: 'Ada Byron' },
  // An invoice of ten lines with metadata.
  stripeWebhook: { id: 'evt_1', type: 'invoice.paid', data: 'x'.repeat(90_000) },
  // Some hundred events.
  sendgridWebhook: { events: 'x'.repeat(350_000) },
};
