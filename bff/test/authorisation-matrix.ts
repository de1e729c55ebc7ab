import type { publicDoors, publicPaths } from '@shortlist/contracts/api/public';

/** What each kind of caller meets at a door: it opens, or the status with which it stays shut. */
export type Meets = 'opens' | 401 | 403 | 404;
/** `other`: a user who asks about somebody else, where the door names a person. */
export type Row = { anonymous: Meets; user: Meets; admin: Meets; other?: Meets };

const everybody: Row = { anonymous: 'opens', user: 'opens', admin: 'opens' };
const usersOnly: Row = { anonymous: 401, user: 'opens', admin: 403 };
const adminsOnly: Row = { anonymous: 401, user: 403, admin: 'opens' };

/** Every door of the browser. A door that is missing here does not compile. */
export const MATRIX: Record<keyof typeof publicDoors, Row> = {
  signup: everybody,
  login: everybody,
  adminLogin: everybody,
  logout: everybody,
  emailAvailability: everybody,
  config: everybody,
  checkUser: usersOnly,
  checkAdmin: adminsOnly,
  subscription: usersOnly,
  subscribe: usersOnly,
  confirmPayment: usersOnly,
  billingPortal: usersOnly,
  credits: usersOnly,
  creditsHistory: usersOnly,
  spendCredit: usersOnly,
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
  stripeWebhook: everybody, // who may speak there is the signature's word, in billing
  pictures: everybody,
  live: { anonymous: 401, user: 'opens', admin: 'opens' },
};
