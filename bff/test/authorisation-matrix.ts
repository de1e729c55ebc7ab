import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';

/** The result of a call: the endpoint is allowed, or refuses with this status. */
export type Access = 'allowed' | 401 | 403 | 404;
/** `other`: a user who names another user, at endpoints that take a user id. */
export type Row = {
  anonymous: Access;
  user: Access;
  admin: Access;
  other?: Access;
  /** What the role of an admin must include; without it, every admin may call. */
  permission?: Permission;
};

const anyCaller: Row = { anonymous: 'allowed', user: 'allowed', admin: 'allowed' };
const usersOnly: Row = { anonymous: 401, user: 'allowed', admin: 403 };
const anySession: Row = { anonymous: 401, user: 'allowed', admin: 'allowed' };
const everyAdmin: Row = { anonymous: 401, user: 403, admin: 'allowed' };
const adminsWith = (permission: Permission): Row => ({ ...everyAdmin, permission });

/** Every public endpoint. An endpoint that is missing here does not compile. */
export const MATRIX: Record<keyof typeof publicEndpoints, Row> = {
  signup: { ...anyCaller, permission: 'users.create' },
  login: anyCaller,
  email: usersOnly,
  verifyEmail: anyCaller,
  verifyEmailCode: usersOnly,
  resendVerification: usersOnly,
  retryEmail: usersOnly,
  retryUserEmail: adminsWith('users.edit'),
  retryAdminEmail: adminsWith('team.manage'),
  requestEmailChange: usersOnly,
  resendEmailChange: usersOnly,
  cancelEmailChange: usersOnly,
  confirmEmailChange: anyCaller,
  confirmEmailChangeCode: usersOnly,
  checkEmailUndo: anyCaller,
  undoEmailChange: anyCaller,
  forgotPassword: anyCaller,
  checkReset: anyCaller,
  resetPassword: anyCaller,
  changePassword: anySession,
  adminLogin: anyCaller,
  logout: anyCaller,
  emailAvailability: anyCaller,
  config: anyCaller,
  checkUser: usersOnly,
  checkAdmin: everyAdmin,
  ownAdmin: everyAdmin,
  renameOwnAdmin: everyAdmin,
  subscription: usersOnly,
  subscribe: usersOnly,
  confirmPayment: usersOnly,
  cancelPlan: usersOnly,
  resumePlan: usersOnly,
  refreshPlan: usersOnly,
  invoices: usersOnly,
  openInvoiceFile: usersOnly,
  billingPortal: usersOnly,
  credits: usersOnly,
  creditsHistory: usersOnly,
  exportHistory: usersOnly,
  creditsUsage: usersOnly,
  creditPacks: usersOnly,
  buyPack: usersOnly,
  confirmPack: usersOnly,
  creditMails: usersOnly,
  setCreditMails: usersOnly,
  chargeCredit: usersOnly,
  reserveCredit: usersOnly,
  commitReservation: usersOnly,
  releaseReservation: usersOnly,
  updateUser: { ...anySession, other: 404, permission: 'users.edit' },
  listUsers: adminsWith('users.read'),
  exportUsers: adminsWith('users.export'),
  userTotals: adminsWith('users.read'),
  newestUsers: adminsWith('users.read'),
  getUser: adminsWith('users.read'),
  accountStatus: adminsWith('users.read'),
  deleteUser: adminsWith('users.delete'),
  grantPlan: adminsWith('plan.grant'),
  revokePlan: adminsWith('plan.revoke'),
  earnings: adminsWith('revenue.read'),
  audit: adminsWith('audit.read'),
  exportAudit: adminsWith('audit.export'),
  system: adminsWith('system.read'),
  resolveAlert: adminsWith('alerts.resolve'),
  reopenAlert: adminsWith('alerts.resolve'),
  secondFactor: anyCaller,
  secondFactorPasskey: anyCaller,
  access: usersOnly,
  userAccess: adminsWith('users.read'),
  endUserKey: adminsWith('sessions.end'),
  endUserConnection: adminsWith('sessions.end'),
  listApiKeys: usersOnly,
  createApiKey: usersOnly,
  revokeApiKey: usersOnly,
  webhooks: usersOnly,
  createWebhook: usersOnly,
  changeWebhook: usersOnly,
  deleteWebhook: usersOnly,
  rotateWebhookSecret: usersOnly,
  webhookDeliveries: usersOnly,
  sendTestEvent: usersOnly,
  redeliver: usersOnly,
  listConnections: usersOnly,
  endConnection: usersOnly,
  findConnectionRequest: usersOnly,
  approveConnection: usersOnly,
  denyConnection: usersOnly,
  passkeyLogInOptions: anyCaller,
  passkeyLogIn: anyCaller,
  reauthentication: anySession,
  reauthenticate: anySession,
  factors: anySession,
  startTotp: anySession,
  confirmTotp: anySession,
  removeTotp: anySession,
  renewRecoveryCodes: anySession,
  passkeyOptions: anySession,
  addPasskey: anySession,
  renamePasskey: anySession,
  removePasskey: anySession,
  userBuckets: adminsWith('users.read'),
  grantCredits: adminsWith('credits.adjust'),
  revokeCredits: adminsWith('credits.adjust'),
  userFactors: adminsWith('users.read'),
  removeUserFactors: adminsWith('factors.remove'),
  listDevices: anySession,
  endSession: anySession,
  listTrustedDevices: anySession,
  removeTrustedDevice: anySession,
  endOtherSessions: anySession,
  endAllSessions: anySession,
  countUserSessions: adminsWith('users.read'),
  endUserSessions: adminsWith('sessions.end'),
  listSignIns: anySession,
  startViewing: adminsWith('impersonate'),
  deletion: usersOnly,
  requestDeletion: usersOnly,
  keepAccount: usersOnly,
  userDeletion: adminsWith('users.read'),
  dataExport: usersOnly,
  requestDataExport: usersOnly,
  removeDataExport: usersOnly,
  downloadData: usersOnly,
  team: adminsWith('team.manage'),
  inviteAdmin: adminsWith('team.manage'),
  resendInvitation: adminsWith('team.manage'),
  cancelInvitation: adminsWith('team.manage'),
  changeAdminRole: adminsWith('team.manage'),
  suspendAdmin: adminsWith('team.manage'),
  restoreAdmin: adminsWith('team.manage'),
  removeAdmin: adminsWith('team.manage'),
  endAdminSessions: adminsWith('team.manage'),
  removeAdminFactors: adminsWith('team.manage'),
  tools: adminsWith('tools.manage'),
  disableTool: adminsWith('tools.manage'),
  enableTool: adminsWith('tools.manage'),
  checkInvitation: anyCaller,
  acceptInvitation: anyCaller,
  listUserSignIns: adminsWith('users.read'),
};

/** The public paths that are not declared as JSON endpoints. */
export const PATHS: Record<keyof typeof publicPaths, Row> = {
  stripeWebhook: anyCaller, // billing checks the signature
  sendgridWebhook: anyCaller, // worker checks the signature
  pictures: anyCaller,
  live: anySession,
};

/** A role that may call the endpoint. */
export const roleFor = (name: keyof typeof MATRIX): 'user' | 'admin' =>
  MATRIX[name].user === 'allowed' ? 'user' : 'admin';

/** The endpoints that need a session. */
export const behindSession = (Object.keys(MATRIX) as (keyof typeof MATRIX)[]).filter(
  (name) => MATRIX[name].anonymous === 401,
);
