import { createSecretKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../process/clock.ts';
import { createError } from '../process/errors.ts';

/** On whose behalf a service is called: a user or an admin, an unauthenticated client, or another service. */
export type Caller = {
  role: 'user' | 'admin' | 'anonymous' | 'service';
  userId: string | null;
  /** The client's network address, if known. */
  address?: string;
};

export type TokenSigner = (audience: string, caller: Caller) => Promise<string>;
export type TokenVerifier = (token: string | undefined) => Promise<Caller>;

/** Lifetime of a token: each call gets a new one, and it travels one hop. */
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

/** Verifies tokens for `audience`. Throws `service.token_refused` for a missing or expired one, and for one of another service. */
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
