// What an admin may do while viewing the product as a user: the endpoints of this list, and nothing else. All but two only read. A
// password, a factor, an e-mail address, a payment, the billing portal, a key or a deletion is never among them.
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';

const {
  checkUser,
  config,
  email,
  subscription,
  credits,
  creditsHistory,
  factors,
  listDevices,
  listSignIns,
  resendVerification,
  logout,
} = publicEndpoints;

const READING = [
  ...[checkUser, config, email, subscription, credits, creditsHistory, factors, listDevices, listSignIns],
  { method: 'GET', path: publicPaths.live },
];

/** What support needs: the mail to confirm the address again. `logout` ends the viewing. */
const CHANGING = [resendVerification, logout];

const keyOf = ({ method, path }: Pick<Endpoint<never, unknown>, 'method' | 'path'>): string =>
  `${method} ${path}`;

const ALLOWED = new Set(
  [...READING, ...CHANGING].map((endpoint) => keyOf(endpoint as Endpoint<never, unknown>)),
);

export const isAllowedWhileViewing = (endpoint: Pick<Endpoint<never, unknown>, 'method' | 'path'>): boolean =>
  ALLOWED.has(keyOf(endpoint));
