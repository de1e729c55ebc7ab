import { type Endpoint, fillPath } from '@shortlist/contracts/api/endpoint';
import { uuidv7 } from 'uuidv7';
import type { Db } from '../data/db.ts';
import { storeEndedRight } from '../data/rights.ts';
import type { Caller } from '../http/service-token.ts';
import type { OpenedService } from './open-service.ts';

/** The result of a call: the endpoint accepted the caller, or refused with this status. */
type Access = 'opens' | 401 | 403 | 404;

/** One connection for the relay, which occupies it with its lock, and one for everything else (J2). */
export const NARROW = { poolSize: 2 };
/** `user` calls with their own id, `other` is a user who calls with another id; null if the path has no id. */
export type AuthorisationRow = {
  anonymous: Access;
  user: Access;
  other: Access | null;
  admin: Access;
  service: Access;
  /** Without a service token. */
  unauthenticated: Access;
};

const ENDED_RIGHT = { id: 'session:ended', version: 1 };

type Asked = {
  endpoint: Endpoint<never, unknown> & { comparesRights: boolean };
  body?: object;
  headers?: Record<string, string>;
  /** Path parameters other than the caller's id. */
  params?: Record<string, string>;
};
type Reply = { status: number; text: string };

const accessOf = ({ status, text }: Reply): Access => {
  if (status === 401 || status === 403) return status;
  return text.includes('"request.not_found"') ? 404 : 'opens';
};

type Opened = Pick<OpenedService, 'url' | 'sign'> & { db: Db };

/**
 * Calls an endpoint as every kind of caller, with a valid `body`. Throws if the endpoint fails with a 5xx, or changes anything for a user or an
 * admin with an ended right.
 */
export const authorisationRow = async (
  { url, sign, db }: Opened,
  audience: string,
  { endpoint, body = {}, headers = {}, params = {} }: Asked,
): Promise<AuthorisationRow> => {
  const send = async (caller: Caller | null, about: string): Promise<Reply> => {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const ids = Object.fromEntries(names.map((name) => [name, about]));
    const response = await fetch(`${url}${fillPath(endpoint.path, { ...ids, ...params }).path}`, {
      method: endpoint.method,
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(caller === null ? {} : { authorization: `Bearer ${await sign(audience, caller)}` }),
      },
      ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 500)
      throw new Error(`${endpoint.method} ${endpoint.path} answered ${response.status}: ${text}`);
    return { status: response.status, text };
  };
  const callAs = async (caller: Caller | null, about: string): Promise<Access> => {
    return accessOf(await send(caller, about));
  };
  await storeEndedRight(db.manager, ENDED_RIGHT, new Date());
  const ownId = uuidv7();
  const as = async (role: Caller['role'], userId: string | null = null): Promise<Access> => {
    const caller: Caller = { role, userId };
    if (userId === null || endpoint.method === 'GET' || !endpoint.comparesRights)
      return callAs(caller, ownId);
    // Before the successful call, which leaves nothing to change.
    const ended = await send({ ...caller, rights: [{ ...ENDED_RIGHT, version: 0 }] }, ownId);
    const live = await send(caller, ownId);
    if (live.status < 300 && !ended.text.includes('"session.right_ended"'))
      throw new Error(`${endpoint.method} ${endpoint.path} of ${role} went through: ${ended.status}`);
    return accessOf(live);
  };
  return {
    anonymous: await as('anonymous'),
    user: await as('user', ownId),
    other: endpoint.path.includes(':') ? await as('user', uuidv7()) : null,
    admin: await as('admin', uuidv7()),
    service: await as('service'),
    unauthenticated: await callAs(null, ownId),
  };
};

const REFUSED = { unauthenticated: 401, anonymous: 401 } as const;
/** The usual rows, by the callers that the endpoint accepts. */
export const AUTHORISATION = {
  users: { ...REFUSED, user: 'opens', other: 404, admin: 403, service: 403 },
  usersAndAdmins: { ...REFUSED, user: 'opens', other: 404, admin: 'opens', service: 403 },
  authenticated: { ...REFUSED, user: 'opens', other: 404, admin: 'opens', service: 'opens' },
  admins: { ...REFUSED, user: 403, other: null, admin: 'opens', service: 403 },
  services: { ...REFUSED, user: 403, other: null, admin: 403, service: 'opens' },
} as const satisfies Record<string, AuthorisationRow>;
