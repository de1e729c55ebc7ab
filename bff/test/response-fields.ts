import type { publicEndpoints } from '@shortlist/contracts/api/public';

export type Role = 'anonymous' | 'user' | 'admin';
type Fields = Partial<Record<Role, readonly string[]>>;
/** The exports, the removal of an admin's factors and the endpoints of passkeys, which need a browser, have their own tests. */
type Elsewhere =
  | 'exportUsers'
  | 'downloadData'
  | 'removeAdminFactors'
  | 'secondFactorPasskey'
  | `passkey${string}`
  | `${'add' | 'rename' | 'remove'}Passkey`;
/** The endpoints that return JSON. `refusal` is the error response of every endpoint. */
type Endpoint = Exclude<keyof typeof publicEndpoints, Elsewhere> | 'refusal';

const under = (path: string, fields: readonly string[]): string[] =>
  fields.map((field) => `${path}.${field}`);

/** The fields of a user, for the user and for an admin. */
const USER = [
  'city',
  'composed',
  'country',
  'createdAt',
  'current_period_end',
  'current_period_start',
  'email',
  'firstName',
  'id',
  'lastName',
  'last_credit_reset',
  'linkedin',
  'organizationName',
  'picture',
  'plan',
  'primaryRecruitingIndustry',
  'roleType',
  'stripe_customer_id',
  'subscription.continuation',
  'subscription.endDate',
  'subscription.isPremium',
  'subscription.premiumUntil',
  'subscription.startDate',
  'typeOfOrganization',
  'version',
];
/** The fields of a row in the admin's list. */
const ROW = [
  'country',
  'createdAt',
  'email',
  'firstName',
  'id',
  'lastName',
  'organizationName',
  'picture',
  'plan',
];
/** The fields that the audit log may contain of a change. */
const CHANGED = [
  'alertId',
  'city',
  'country',
  'createdAt',
  'email',
  'factor',
  'firstName',
  'granted',
  'id',
  'lastName',
  'linkedin',
  'organizationName',
  'paid.end',
  'paid.graceUntil',
  'paid.key',
  'paid.start',
  'picture',
  'primaryRecruitingIndustry',
  'resolvedAt',
  'roleType',
  'typeOfOrganization',
  'version',
];

const DEVICE = ['browser', 'firstSeenAt', 'id', 'isCurrent', 'lastSeenAt', 'place', 'system'];
const SIGN_IN = [
  'at',
  'attempts',
  'browser',
  'id',
  'isLocked',
  'isNewDevice',
  'method',
  'outcome',
  'place',
  'system',
];
const ALERT = ['amount', 'currency', 'detail', 'id', 'kind', 'objectId', 'raisedAt', 'resolvedAt', 'userId'];

const FACTORS = ['data.recoveryCodes.left', 'data.recoveryCodes.total', 'data.totpSince'];

const DELETION = ['data.dueAt', 'data.requestedAt'];
const DATA_EXPORT = under('data', ['bytes', 'done', 'expiresAt', 'id', 'requestedAt', 'state']);
const INVITATION = ['email', 'expiresAt', 'id', 'invitedBy', 'isExpired', 'role'];

/** The fields of every response, by endpoint and role. A missing endpoint does not compile; a missing field fails the test. */
export const RESPONSE_FIELDS: Record<Endpoint, Fields> = {
  signup: {
    anonymous: ['data.email', 'data.id', 'data.picture', 'message'],
    admin: ['data.email', 'data.id', 'data.picture', 'message'],
  },
  emailAvailability: { anonymous: ['available'] },
  config: {
    anonymous: [
      'brand',
      'consent',
      'links.about',
      'links.automationBot',
      'links.crm',
      'links.privacy',
      'links.provider',
      'links.support',
      'links.terms',
      'passwordMin',
      'price.amount',
      'price.currency',
    ],
  },
  refusal: {
    anonymous: [
      'error.code',
      'error.fields.city',
      'error.fields.country',
      'error.fields.email',
      'error.fields.firstName',
      'error.fields.lastName',
      'error.fields.organizationName',
      'error.fields.password',
      'error.fields.primaryRecruitingIndustry',
      'error.fields.typeOfOrganization',
      'error.message',
      'error.requestId',
    ],
    admin: ['error.code', 'error.message', 'error.requestId'],
  },
  email: { user: ['data.email', 'data.isVerified', 'data.pendingEmail', 'data.confirmBy'] },
  verifyEmail: { anonymous: ['data.email'] },
  verifyEmailCode: { user: ['data.email'] },
  resendVerification: { user: ['message'] },
  requestEmailChange: { user: ['message'] },
  resendEmailChange: { user: ['message'] },
  cancelEmailChange: { user: ['message'] },
  confirmEmailChange: { anonymous: ['data.email'] },
  confirmEmailChangeCode: { user: ['data.email'] },
  checkEmailUndo: { anonymous: ['data.email', 'data.isConfirmed'] },
  undoEmailChange: {
    anonymous: ['data.email', ...under('data.removed', ['passkeys', 'recoveryCodes', 'twoStep'])],
  },
  forgotPassword: { anonymous: ['message'] },
  checkReset: { anonymous: ['data.email', 'data.isAdmin'] },
  resetPassword: { anonymous: ['message'] },
  changePassword: { user: ['message'] },
  login: { user: [...under('data.user', USER), 'data.remainingTime', 'data.token', 'message'] },
  adminLogin: { admin: ['credentials.expiresIn', 'credentials.token', 'message', 'role'] },
  subscribe: { user: ['url'] },
  confirmPayment: { user: [...under('data', USER), 'message'] },
  chargeCredit: { user: ['available', 'limit', 'used'] },
  reserveCredit: { user: ['available', 'expiresAt', 'id', 'limit', 'state', 'used'] },
  commitReservation: { user: ['available', 'limit', 'used'] },
  releaseReservation: { user: ['available', 'limit', 'used'] },
  updateUser: { user: [...under('data', USER), 'message'], admin: [...under('data', USER), 'message'] },
  checkUser: { user: [...under('user', USER), 'remainingTime'] },
  billingPortal: { user: ['url'] },
  subscription: {
    user: [
      'data.customerId',
      'data.graceUntil',
      'data.lastPayment.amount',
      'data.lastPayment.currency',
      'data.lastPayment.paidAt',
      'data.periodEnd',
      'data.periodStart',
      'data.plan',
      'data.price.amount',
      'data.price.currency',
      'data.problem',
      'data.renews',
    ],
  },
  credits: {
    user: [
      'available',
      'exhausted',
      'freeUsed',
      'limit',
      'plan',
      'premiumUsed',
      'used',
      'windowEnd',
      'windowStart',
    ],
  },
  creditsHistory: {
    user: ['data[].amount', 'data[].createdAt', 'data[].id', 'data[].reason', 'data[].reference', 'next'],
  },
  grantPlan: { admin: [...under('data', USER), 'message'] },
  revokePlan: { admin: [...under('data', USER), 'message'] },
  checkAdmin: { admin: ['remainingTime', 'role'] },
  team: {
    admin: [
      'data.ownId',
      ...under('data.invitations[]', INVITATION),
      ...under('data.members[]', ['email', 'factor', 'id', 'isSuspended', 'lastLogInAt', 'role']),
    ],
  },
  startViewing: { admin: ['data.remainingTime', 'data.token'] },
  inviteAdmin: { admin: under('data', INVITATION) },
  resendInvitation: { admin: under('data', INVITATION) },
  cancelInvitation: { admin: ['message'] },
  changeAdminRole: { admin: ['message'] },
  suspendAdmin: { admin: ['message'] },
  restoreAdmin: { admin: ['message'] },
  removeAdmin: { admin: ['message'] },
  endAdminSessions: { admin: ['message'] },
  checkInvitation: { anonymous: ['data.email', 'data.role'] },
  acceptInvitation: { anonymous: ['data.email'] },
  listDevices: { user: under('data[]', DEVICE), admin: under('data[]', DEVICE) },
  endSession: { user: ['message'], admin: ['message'] },
  listTrustedDevices: {
    user: under('data[]', ['browser', 'endsAt', 'id', 'place', 'system', 'trustedAt']),
  },
  removeTrustedDevice: { user: ['message'] },
  endOtherSessions: { user: ['ended'], admin: ['ended'] },
  endAllSessions: { user: ['ended'], admin: ['ended'] },
  countUserSessions: { admin: ['count'] },
  endUserSessions: { admin: ['message'] },
  listSignIns: { user: under('data[]', SIGN_IN), admin: under('data[]', SIGN_IN) },
  listUserSignIns: { admin: under('data[]', SIGN_IN) },
  listUsers: { admin: [...under('data[]', ROW), 'isCapped', 'next', 'total'] },
  userTotals: { admin: [...under('data', ['countedAt', 'premium', 'registered'])] },
  newestUsers: { admin: [...under('data[]', ROW)] },
  getUser: { admin: [...under('data', USER)] },
  earnings: {
    admin: [
      'data.buckets[].earnings',
      'data.buckets[].expenses',
      'data.buckets[].start',
      'data.currency',
      'data.earnings',
      'data.expenses',
      'data.from',
      'data.others[].currency',
      'data.others[].earnings',
      'data.others[].expenses',
      'data.to',
      'data.unknownFees',
    ],
  },
  audit: {
    admin: [
      // Null for a change without states, such as that of a password.
      'data[].after',
      'data[].before',
      ...under('data[].after', [...CHANGED, 'reason']),
      ...under('data[].before', CHANGED),
      // Null for a change without a state, such as that of a password.
      'data[].action',
      'data[].actorEmail',
      'data[].actorId',
      'data[].address',
      'data[].at',
      'data[].id',
      'data[].targetId',
      'next',
    ],
  },
  system: {
    admin: [
      ...under('data.alerts[]', ALERT),
      'data.stripe.checkedAt',
      ...under('data.stripe.checks[]', ['detail', 'name', 'ok']),
    ],
  },
  resolveAlert: { admin: under('data', ALERT) },
  deleteUser: { admin: ['message'] },
  logout: { user: ['message'] },
  secondFactor: { user: [...under('data.user', USER), 'data.remainingTime', 'data.token', 'message'] },
  reauthentication: { user: ['data.methods[]', 'data.passkey'] },
  reauthenticate: { user: ['message'] },
  factors: { user: FACTORS },
  startTotp: { user: ['data.email', 'data.secret'] },
  confirmTotp: { user: ['data.recoveryCodes[]'] },
  removeTotp: { user: ['message'] },
  renewRecoveryCodes: { user: ['data.recoveryCodes[]'] },
  userFactors: { admin: FACTORS },
  removeUserFactors: { admin: ['message'] },
  deletion: { user: DELETION },
  requestDeletion: { user: [...DELETION, 'message'] },
  keepAccount: { user: ['message'] },
  userDeletion: { admin: DELETION },
  dataExport: { user: DATA_EXPORT },
  requestDataExport: { user: DATA_EXPORT },
  removeDataExport: { user: [] },
};
