import { createSecretKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../process/clock.ts';
import { createError } from '../process/errors.ts';

/** On whose behalf a service is asked: a person with a role, nobody yet (`anonymous`), or one of our own (`service`). */
export type Caller = {
  role: 'user' | 'admin' | 'anonymous' | 'service';
  userId: string | null;
  /** The network address that the person asks from, where one is known. */
  address?: string;
};

export type TokenSigner = (audience: string, caller: Caller) => Promise<string>;
export type TokenVerifier = (token: string | undefined) => Promise<Caller>;

/** Lifetime of a token: it travels one hop and is made anew for each call. */
const LIFETIME_SECONDS = 30;
const ISSUER = 'shortlist';

export const createTokenSigner = ({ key, clock }: { key: string; clock: Clock }): TokenSigner => {
  const secret = createSecretKey(Buffer.from(key));
  return (audience, { role, userId, address }) => {
    const now = Math.floor(clock().getTime() / 1000);
    return new SignJWT({ role, ...(userId === null ? {} : { sub: userId }), ...(address ? { address } : {}) })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(secret);
  };
};

const ROLES: readonly unknown[] = ['user', 'admin', 'anonymous', 'service'] satisfies Caller['role'][];

/** Verifies tokens made for `audience`. Throws `service.token_refused` for none, a stale one, or another service's. */
export const createTokenVerifier = ({
  key,
  audience,
  clock,
}: {
  key: string;
  audience: string;
  clock: Clock;
}): TokenVerifier => {
  const secret = createSecretKey(Buffer.from(key));
  return async (token) => {
    if (token === undefined) throw createError('service.token_refused');
    try {
      const { payload } = await jwtVerify(token, secret, {
        audience,
        issuer: ISSUER,
        algorithms: ['HS256'],
        currentDate: clock(),
        clockTolerance: 5,
      });
      if (!ROLES.includes(payload.role)) throw createError('service.token_refused');
      const { role, sub, address } = payload as { role: Caller['role']; sub?: string; address?: string };
      return { role, userId: sub ?? null, ...(address === undefined ? {} : { address }) };
    } catch (cause) {
      throw createError('service.token_refused', { cause });
    }
  };
};
