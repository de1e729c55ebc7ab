import { createSecretKey, type KeyObject } from 'node:crypto';
import { type JWSHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Right } from '@shortlist/contracts/api/endpoint';
import { seconds } from '@shortlist/contracts/durations';
import type { Clock } from '../process/clock.ts';
import { createError } from '../process/errors.ts';

/** On whose behalf a service is called: a user or an admin, an unauthenticated client, or another service. */
export type Caller = {
  role: 'user' | 'admin' | 'anonymous' | 'service';
  userId: string | null;
  /** The client's network address, if known. */
  address?: string;
  /** Who acts in the user's place, if anyone (`act` of RFC 8693). */
  actorId?: string;
  /** The app that acts for the user (`client_id` of RFC 8693): the id of an API key. */
  clientId?: string;
  /** The rights that the request depends on; a change is refused once one of them has ended. */
  rights?: readonly Right[];
  /** The latest time at which the rights were checked, in ms since the epoch; set for a verified token. */
  checkedAt?: number;
};

/** A service that acts on its own behalf. */
export const SERVICE_CALLER = { role: 'service', userId: null } as const satisfies Caller;

/** A key for the tokens of one service; its id is in each token's header. */
export type TokenKey = { id: string; secret: string };
/** The keys for the tokens of one service. The first signs, all verify, so that a key can be replaced without downtime. */
export type TokenKeys = readonly TokenKey[];

export type TokenSigner = (audience: string, caller: Caller) => Promise<string>;
export type TokenVerifier = (token: string | undefined) => Promise<Caller>;

/** Lifetime of a token, which travels only one hop. A change must commit within this time after its rights were checked. */
export const LIFETIME_SECONDS = 30;
/** A verifier refuses older tokens, whatever their expiry. */
const AGE_MAX_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 5;
const ISSUER = 'shortlist';

/**
 * A token is reused for the calls of one caller for a third of its lifetime, because signing or verifying one costs as much as the rest of a call.
 */
const REUSE_MS = seconds(LIFETIME_SECONDS) / 3;
const REMEMBERED_MAX = 1_000;

/** Remembers values for `REUSE_MS` or until they expire; forgets them if the clock was set back. */
const createMemory = <Value extends { expiresAt: number }>(clock: Clock) => {
  const remembered = new LRUCache<string, { value: Value; since: number }>({ max: REMEMBERED_MAX });
  return {
    get: (name: string): Value | null => {
      const { value, since } = remembered.get(name) ?? { value: null, since: 0 };
      const now = clock().getTime();
      const isFresh = value !== null && since <= now && now < Math.min(since + REUSE_MS, value.expiresAt);
      return isFresh ? value : null;
    },
    set: (name: string, value: Value): void => void remembered.set(name, { value, since: clock().getTime() }),
  };
};

const secretKeyOf = ({ secret }: TokenKey): KeyObject => createSecretKey(Buffer.from(secret));

/** Signs tokens for the services of `keys`, by name. Throws for a service without keys. */
export const createTokenSigner = ({
  keys,
  clock,
}: {
  keys: Readonly<Record<string, TokenKeys>>;
  clock: Clock;
}): TokenSigner => {
  const signing = new Map(
    Object.entries(keys).flatMap(([audience, [key]]) =>
      key === undefined ? [] : [[audience, { id: key.id, secret: secretKeyOf(key) }] as const],
    ),
  );
  const signed = createMemory<{ token: string; expiresAt: number }>(clock);

  const sign = async (
    audience: string,
    { role, userId, address, actorId, clientId, rights = [] }: Caller,
  ) => {
    const key = signing.get(audience);
    if (key === undefined) throw new Error(`there is no key for tokens of ${audience}`);
    const now = Math.floor(clock().getTime() / 1000);
    const expiry = now + LIFETIME_SECONDS;
    const claims = {
      ...(userId === null ? {} : { sub: userId }),
      ...(address ? { address } : {}),
      ...(actorId ? { act: { sub: actorId } } : {}),
      ...(clientId ? { client_id: clientId } : {}),
      ...(rights.length > 0 ? { rights: rights.map(({ id, version }) => [id, version]) } : {}),
    };
    const token = await new SignJWT({ role, ...claims })
      .setProtectedHeader({ alg: 'HS256', kid: key.id })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(expiry)
      .sign(key.secret);
    return { token, expiresAt: seconds(expiry) };
  };

  return async (audience, caller) => {
    const { role, userId, address, actorId, clientId, rights = [] } = caller;
    const versions = rights.flatMap(({ id, version }) => [id, version]);
    const name = [audience, role, userId, address, actorId, clientId, ...versions].join(' ');
    const known = signed.get(name);
    if (known !== null) return known.token;
    const made = await sign(audience, caller);
    signed.set(name, made);
    return made.token;
  };
};

type Claims = {
  role: Caller['role'];
  sub?: string;
  address?: string;
  act?: { sub: string };
  client_id?: string;
  rights?: [id: string, version: number][];
  iat?: number;
};

const callerOf = ({ role, sub, address, act, client_id: clientId, rights, iat = 0 }: Claims): Caller => ({
  role,
  userId: sub ?? null,
  ...(address === undefined ? {} : { address }),
  ...(act === undefined ? {} : { actorId: act.sub }),
  ...(clientId === undefined ? {} : { clientId }),
  ...(rights === undefined
    ? {}
    : { rights: rights.map(([id, version]) => ({ id, version })), checkedAt: seconds(iat) }),
});

const ROLES: readonly unknown[] = ['user', 'admin', 'anonymous', 'service'] satisfies Caller['role'][];

/**
 * Verifies tokens for `audience`. Throws `service.token_refused` for a token that is missing, expired, older than five minutes, for another
 * service, or signed with an unknown key.
 */
export const createTokenVerifier = ({
  keys,
  audience,
  clock,
}: {
  keys: TokenKeys;
  audience: string;
  clock: Clock;
}): TokenVerifier => {
  const secrets = new Map(keys.map((key) => [key.id, secretKeyOf(key)]));
  const verified = createMemory<{ caller: Caller; expiresAt: number }>(clock);
  const findSecret = ({ kid = '' }: JWSHeaderParameters): KeyObject => {
    const secret = secrets.get(kid);
    if (secret === undefined) throw new Error('unknown key');
    return secret;
  };
  return async (token) => {
    if (token === undefined) throw createError('service.token_refused');
    const known = verified.get(token);
    if (known !== null) return known.caller;
    try {
      const { payload } = await jwtVerify(token, findSecret, {
        audience,
        issuer: ISSUER,
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        maxTokenAge: AGE_MAX_SECONDS,
        currentDate: clock(),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      if (!ROLES.includes(payload.role)) throw createError('service.token_refused');
      const caller = callerOf(payload as Claims);
      verified.set(token, { caller, expiresAt: seconds(payload.exp ?? 0) });
      return caller;
    } catch (cause) {
      throw createError('service.token_refused', { cause });
    }
  };
};
