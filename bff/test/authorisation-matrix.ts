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
  /** Open to an admin who views the product as a user; everything else refuses with 403. */
  isViewable?: true;
  /** Refused when the user last proved who they are more than ten minutes ago. */
  needsProof?: true;
};

const anyCaller: Row = { anonymous: 'allowed', user: 'allowed', admin: 'allowed' };
const usersOnly: Row = { anonymous: 401, user: 'allowed', admin: 403 };
const anySession: Row = { anonymous: 401, user: 'allowed', admin: 'allowed' };
const everyAdmin: Row = { anonymous: 401, user: 403, admin: 'allowed' };
const adminsWith = (permission: Permission): Row => ({ ...everyAdmin, permission });
const viewable = (row: Row): Row => ({ ...row, isViewable: true });
const afterProof = (row: Row): Row => ({ ...row, needsProof: true });

/** Every public endpoint. An endpoint that is missing here does not compile. */
export const MATRIX: Record<keyof typeof publicEndpoints, Row> = {
  signup: { ...anyCaller, permission: 'users.create' },
  login: anyCaller,
  email: viewable(usersOnly),
  verifyEmail: anyCaller,
  verifyEmailCode: usersOnly,
  resendVerification: viewable(usersOnly),
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
  logout: viewable(anyCaller),
  emailAvailability: anyCaller,
  config: viewable(anyCaller),
  checkUser: viewable(usersOnly),
  checkAdmin: everyAdmin,
  ownAdmin: everyAdmin,
  renameOwnAdmin: everyAdmin,
  subscription: viewable(usersOnly),
  subscribe: usersOnly,
  confirmPayment: usersOnly,
  cancelPlan: usersOnly,
  resumePlan: usersOnly,
  refreshPlan: usersOnly,
  invoices: viewable(usersOnly),
  openInvoiceFile: viewable(usersOnly),
  billingPortal: usersOnly,
  credits: viewable(usersOnly),
  creditsHistory: viewable(usersOnly),
  exportHistory: usersOnly,
  creditsUsage: viewable(usersOnly),
  creditPacks: viewable(usersOnly),
  buyPack: usersOnly,
  confirmPack: usersOnly,
  creditMails: viewable(usersOnly),
  setCreditMails: usersOnly,
  chargeCredit: usersOnly,
  reserveCredit: usersOnly,
  commitReservation: usersOnly,
  releaseReservation: usersOnly,
  updateUser: { ...anySession, other: 404, permission: 'users.edit' },
  listUsers: adminsWith('users.read'),
  exportUsers: afterProof(adminsWith('users.export')),
  userTotals: adminsWith('users.read'),
  newestUsers: adminsWith('users.read'),
  getUser: adminsWith('users.read'),
  accountStatus: adminsWith('users.read'),
  deleteUser: afterProof(adminsWith('users.delete')),
  grantPlan: afterProof(adminsWith('plan.grant')),
  revokePlan: afterProof(adminsWith('plan.revoke')),
  earnings: adminsWith('revenue.read'),
  audit: adminsWith('audit.read'),
  exportAudit: adminsWith('audit.export'),
  system: adminsWith('system.read'),
  resolveAlert: adminsWith('alerts.resolve'),
  reopenAlert: adminsWith('alerts.resolve'),
  secondFactor: anyCaller,
  secondFactorPasskey: anyCaller,
  access: viewable(usersOnly),
  userAccess: adminsWith('users.read'),
  endUserKey: afterProof(adminsWith('sessions.end')),
  endUserConnection: afterProof(adminsWith('sessions.end')),
  listApiKeys: viewable(usersOnly),
  createApiKey: afterProof(usersOnly),
  revokeApiKey: usersOnly,
  webhooks: viewable(usersOnly),
  createWebhook: usersOnly,
  changeWebhook: usersOnly,
  deleteWebhook: usersOnly,
  rotateWebhookSecret: usersOnly,
  webhookDeliveries: viewable(usersOnly),
  sendTestEvent: usersOnly,
  redeliver: usersOnly,
  listConnections: viewable(usersOnly),
  endConnection: usersOnly,
  findConnectionRequest: usersOnly,
  approveConnection: afterProof(usersOnly),
  denyConnection: usersOnly,
  passkeyLogInOptions: anyCaller,
  passkeyLogIn: anyCaller,
  reauthentication: anySession,
  reauthenticate: anySession,
  factors: viewable(anySession),
  startTotp: afterProof(anySession),
  confirmTotp: afterProof(anySession),
  removeTotp: afterProof(anySession),
  renewRecoveryCodes: afterProof(anySession),
  passkeyOptions: afterProof(anySession),
  addPasskey: afterProof(anySession),
  renamePasskey: anySession,
  removePasskey: afterProof(anySession),
  userBuckets: adminsWith('users.read'),
  grantCredits: adminsWith('credits.adjust'),
  revokeCredits: adminsWith('credits.adjust'),
  userFactors: adminsWith('users.read'),
  removeUserFactors: afterProof(adminsWith('factors.remove')),
  listDevices: viewable(anySession),
  endSession: afterProof(anySession),
  listTrustedDevices: viewable(anySession),
  removeTrustedDevice: anySession,
  endOtherSessions: afterProof(anySession),
  endAllSessions: anySession,
  countUserSessions: adminsWith('users.read'),
  endUserSessions: afterProof(adminsWith('sessions.end')),
  listSignIns: viewable(anySession),
  startViewing: adminsWith('impersonate'),
  deletion: usersOnly,
  requestDeletion: afterProof(usersOnly),
  keepAccount: usersOnly,
  userDeletion: adminsWith('users.read'),
  dataExport: usersOnly,
  requestDataExport: afterProof(usersOnly),
  removeDataExport: usersOnly,
  downloadData: afterProof(usersOnly),
  team: adminsWith('team.manage'),
  inviteAdmin: adminsWith('team.manage'),
  resendInvitation: adminsWith('team.manage'),
  cancelInvitation: adminsWith('team.manage'),
  changeAdminRole: afterProof(adminsWith('team.manage')),
  suspendAdmin: adminsWith('team.manage'),
  restoreAdmin: adminsWith('team.manage'),
  removeAdmin: adminsWith('team.manage'),
  endAdminSessions: adminsWith('team.manage'),
  removeAdminFactors: adminsWith('team.manage'),
  tools: adminsWith('tools.manage'),
  disableTool: afterProof(adminsWith('tools.manage')),
  enableTool: afterProof(adminsWith('tools.manage')),
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
