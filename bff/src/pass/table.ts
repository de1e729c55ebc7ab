import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { billingEndpoints, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import type { Method } from '@shortlist/contracts/api/endpoint';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { pathsOf } from '../front/paths.ts';
import type { ServiceName } from '../services.ts';
import type { SessionRole } from '../session/sessions.ts';

/** `open`: no session asked for. `raw`: not even read for a cross-site check, for callers that are no browsers. */
export type Access = SessionRole | 'open' | 'raw';
/** A public door that only passes on: where to, and to whom it opens. `:userId` is the session's own. */
export type PassRule = {
  method: Method;
  path: string;
  prefix?: true;
  to: ServiceName;
  endpoint: string;
  access: Access;
};

const PASS_TABLE: readonly PassRule[] = [
  {
    ...publicEndpoints.listUsers,
    to: 'profile',
    endpoint: profileEndpoints.listDirectory.path,
    access: 'admin',
  },
  {
    ...publicEndpoints.exportUsers,
    to: 'profile',
    endpoint: profileEndpoints.exportDirectory.path,
    access: 'admin',
  },
  {
    ...publicEndpoints.newestUsers,
    to: 'profile',
    endpoint: profileEndpoints.listNewest.path,
    access: 'admin',
  },
  { ...publicEndpoints.earnings, to: 'billing', endpoint: billingEndpoints.earnings.path, access: 'admin' },
  {
    ...publicEndpoints.creditsHistory,
    to: 'credits',
    endpoint: creditsEndpoints.listHistory.path,
    access: 'user',
  },
  { ...publicEndpoints.chargeCredit, to: 'credits', endpoint: creditsEndpoints.spend.path, access: 'user' },
  {
    ...publicEndpoints.reserveCredit,
    to: 'credits',
    endpoint: creditsEndpoints.reserve.path,
    access: 'user',
  },
  {
    ...publicEndpoints.commitReservation,
    to: 'credits',
    endpoint: creditsEndpoints.commitReservation.path,
    access: 'user',
  },
  {
    ...publicEndpoints.releaseReservation,
    to: 'credits',
    endpoint: creditsEndpoints.releaseReservation.path,
    access: 'user',
  },
  {
    method: 'GET',
    path: publicPaths.pictures,
    prefix: true,
    to: 'profile',
    endpoint: publicPaths.pictures,
    access: 'open',
  },
  {
    method: 'POST',
    path: publicPaths.stripeWebhook,
    to: 'billing',
    endpoint: STRIPE_WEBHOOK_PATH,
    access: 'raw',
  },
];

type Params = Record<string, string>;

/** The values of a pattern's `:name` parts in `path`, or null when it does not fit. */
const fit = (pattern: string, path: string): Params | null => {
  const wanted = pattern.split('/');
  const found = path.split('/');
  if (wanted.length !== found.length) return null;
  const params: Params = {};
  for (const [index, part] of wanted.entries()) {
    const value = found[index] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
};

const RULES = PASS_TABLE.map((rule) => ({ rule, patterns: pathsOf(rule.path) }));

const paramsOf = ({ rule, patterns }: (typeof RULES)[number], path: string): Params | null => {
  if (rule.prefix) return path.startsWith(rule.path) && path.length > rule.path.length ? {} : null;
  for (const pattern of patterns) {
    const params = fit(pattern, path);
    if (params !== null) return params;
  }
  return null;
};

export const findPassRule = (
  method: string | undefined,
  path: string,
): { rule: PassRule; params: Params } | null => {
  for (const one of RULES) {
    const params = one.rule.method === method ? paramsOf(one, path) : null;
    if (params !== null) return { rule: one.rule, params };
  }
  return null;
};
