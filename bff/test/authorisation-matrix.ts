import type { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';

/** The result of a call: the endpoint is allowed, or refuses with this status. */
export type Access = 'allowed' | 401 | 403 | 404;
/** `other`: a user who names another user, at endpoints that take a user id. */
export type Row = { anonymous: Access; user: Access; admin: Access; other?: Access };

const anyCaller: Row = { anonymous: 'allowed', user: 'allowed', admin: 'allowed' };
const usersOnly: Row = { anonymous: 401, user: 'allowed', admin: 403 };
const anySession: Row = { anonymous: 401, user: 'allowed', admin: 'allowed' };
const adminsOnly: Row = { anonymous: 401, user: 403, admin: 'allowed' };

/** Every public endpoint. An endpoint that is missing here does not compile. */
export const MATRIX: Record<keyof typeof publicEndpoints, Row> = {
  signup: anyCaller,
  login: anyCaller,
  email: usersOnly,
  verifyEmail: anyCaller,
  verifyEmailCode: usersOnly,
  resendVerification: usersOnly,
  forgotPassword: anyCaller,
  checkReset: anyCaller,
  resetPassword: anyCaller,
  changePassword: { anonymous: 401, user: 'allowed', admin: 'allowed' },
  adminLogin: anyCaller,
  logout: anyCaller,
  emailAvailability: anyCaller,
  config: anyCaller,
  checkUser: usersOnly,
  checkAdmin: adminsOnly,
  subscription: usersOnly,
  subscribe: usersOnly,
  confirmPayment: usersOnly,
  billingPortal: usersOnly,
  credits: usersOnly,
  creditsHistory: usersOnly,
  chargeCredit: usersOnly,
  reserveCredit: usersOnly,
  commitReservation: usersOnly,
  releaseReservation: usersOnly,
  updateUser: { anonymous: 401, user: 'allowed', admin: 'allowed', other: 404 },
  listUsers: adminsOnly,
  exportUsers: adminsOnly,
  userTotals: adminsOnly,
  newestUsers: adminsOnly,
  getUser: adminsOnly,
  deleteUser: adminsOnly,
  grantPlan: adminsOnly,
  revokePlan: adminsOnly,
  earnings: adminsOnly,
  audit: adminsOnly,
  system: adminsOnly,
  resolveAlert: adminsOnly,
  secondFactor: anyCaller,
  secondFactorPasskey: anyCaller,
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
  userFactors: adminsOnly,
  removeUserFactors: adminsOnly,
  listDevices: anySession,
  endSession: anySession,
  endOtherSessions: anySession,
  endAllSessions: anySession,
  countUserSessions: adminsOnly,
  endUserSessions: adminsOnly,
  listSignIns: anySession,
  listUserSignIns: adminsOnly,
  deletion: usersOnly,
  requestDeletion: usersOnly,
  keepAccount: usersOnly,
  userDeletion: adminsOnly,
  dataExport: usersOnly,
  requestDataExport: usersOnly,
  removeDataExport: usersOnly,
  downloadData: usersOnly,
};

/** The public paths that are not declared as JSON endpoints. */
export const PATHS: Record<keyof typeof publicPaths, Row> = {
  stripeWebhook: anyCaller, // billing checks the signature
  pictures: anyCaller,
  live: anySession,
};
