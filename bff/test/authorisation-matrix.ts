import type { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';

/** What each kind of caller meets at a door: it opens, or the status with which it stays shut. */
export type Access = 'opens' | 401 | 403 | 404;
/** `other`: a user who asks about somebody else, where the door names a person. */
export type Row = { anonymous: Access; user: Access; admin: Access; other?: Access };

const anyCaller: Row = { anonymous: 'opens', user: 'opens', admin: 'opens' };
const usersOnly: Row = { anonymous: 401, user: 'opens', admin: 403 };
const adminsOnly: Row = { anonymous: 401, user: 403, admin: 'opens' };

/** Every door of the browser. A door that is missing here does not compile. */
export const MATRIX: Record<keyof typeof publicEndpoints, Row> = {
  signup: anyCaller,
  login: anyCaller,
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
  updateUser: { anonymous: 401, user: 'opens', admin: 'opens', other: 404 },
  listUsers: adminsOnly,
  exportUsers: adminsOnly,
  newestUsers: adminsOnly,
  getUser: adminsOnly,
  deleteUser: adminsOnly,
  grantPlan: adminsOnly,
  revokePlan: adminsOnly,
  earnings: adminsOnly,
  audit: adminsOnly,
};

/** What a browser or the provider reaches beside the doors. */
export const PATHS: Record<keyof typeof publicPaths, Row> = {
  stripeWebhook: anyCaller, // who may speak there is the signature's word, in billing
  pictures: anyCaller,
  live: { anonymous: 401, user: 'opens', admin: 'opens' },
};
