import { creditsDoors } from '@shortlist/contracts/api/credits';
import { billingDoors, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import type { Method } from '@shortlist/contracts/api/door';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { publicDoors, publicPaths } from '@shortlist/contracts/api/public';
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
  door: string;
  access: Access;
};

const PASS_TABLE: readonly PassRule[] = [
  { ...publicDoors.listUsers, to: 'profile', door: profileDoors.listDirectory.path, access: 'admin' },
  { ...publicDoors.exportUsers, to: 'profile', door: profileDoors.exportDirectory.path, access: 'admin' },
  { ...publicDoors.newestUsers, to: 'profile', door: profileDoors.listNewest.path, access: 'admin' },
  { ...publicDoors.earnings, to: 'billing', door: billingDoors.earnings.path, access: 'admin' },
  { ...publicDoors.creditsHistory, to: 'credits', door: creditsDoors.listHistory.path, access: 'user' },
  { ...publicDoors.spendCredit, to: 'credits', door: creditsDoors.spend.path, access: 'user' },
  { ...publicDoors.reserveCredit, to: 'credits', door: creditsDoors.reserve.path, access: 'user' },
  {
    ...publicDoors.commitReservation,
    to: 'credits',
    door: creditsDoors.commitReservation.path,
    access: 'user',
  },
  {
    ...publicDoors.releaseReservation,
    to: 'credits',
    door: creditsDoors.releaseReservation.path,
    access: 'user',
  },
  {
    method: 'GET',
    path: publicPaths.pictures,
    prefix: true,
    to: 'profile',
    door: publicPaths.pictures,
    access: 'open',
  },
  {
    method: 'POST',
    path: publicPaths.stripeWebhook,
    to: 'billing',
    door: STRIPE_WEBHOOK_PATH,
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
