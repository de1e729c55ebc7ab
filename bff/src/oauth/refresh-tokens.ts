// What bff adds to the refresh tokens that identity issues: a signature, by which a forged one is known without a query, and the same
// reply for refreshes of one token at the same moment, as several windows of one app send them.
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { createSigner } from '@shortlist/kit/http/signer';

const SIGNATURE_LENGTH = 22;
const SIGNED = new RegExp(`^(.+)\\.([A-Za-z0-9_-]{${SIGNATURE_LENGTH}})$`);

export type RefreshTokens = {
  sign: (token: string) => string;
  /** The token that identity knows; null for one without our signature. */
  open: (signed: string) => string | null;
};

export const createRefreshTokens = (keys: readonly string[]): RefreshTokens => {
  const signer = createSigner(keys, 'refresh tokens', SIGNATURE_LENGTH);
  return {
    sign: (token) => `${token}.${signer.sign(token)}`,
    open: (signed) => {
      const [, token = '', signature = ''] = SIGNED.exec(signed) ?? [];
      return signer.verify(token, signature) ? token : null;
    },
  };
};

/** A reply of the authorization server. */
export type Reply = { status: number; headers: Record<string, string | string[]>; body: string };

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Only a client that has the token can read its response: Redis stores no token in the clear. */
const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', 'refresh reply', 32));

const seal = (token: string, reply: Reply): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(token), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(reply)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

const unseal = (token: string, text: string): Reply => {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, keyOf(token), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(opened.toString()) as Reply;
};

/** For how long the reply to a refresh is repeated. Afterwards a second use of its token ends the connection. */
const REPEATED_MS = seconds(10);
const WAIT_MS = seconds(5);
const PAUSE_MS = 25;
const PENDING = '';

type Refresh = { clientId: string; token: string };

/** Sends a refresh, or returns the reply to the same one that was sent within ten seconds. Without Redis every refresh is sent. */
export type ShareRefresh = (refresh: Refresh, send: () => Promise<Reply>) => Promise<Reply>;

export const createShareRefresh = (redis: Redis): ShareRefresh => {
  /** The stored reply, or null for whoever is to send the refresh. Throws while another one takes too long. */
  const claim = async (name: string): Promise<string | null> => {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      if ((await redis.set(name, PENDING, 'PX', REPEATED_MS, 'NX')) !== null) return null;
      const stored = await redis.get(name);
      if (stored !== null && stored !== PENDING) return stored;
      if (performance.now() > giveUpAt) throw createError('service.unavailable', { retryAfterSeconds: 2 });
      await sleep(PAUSE_MS);
    }
  };
  const store = async (name: string, token: string, reply: Reply): Promise<void> => {
    if (reply.status === 200) await redis.set(name, seal(token, reply), 'PX', REPEATED_MS);
    else await redis.del(name);
  };
  return async ({ clientId, token }, send) => {
    const name = `refresh-reply:${hash('sha256', `${clientId} ${token}`, 'base64url')}`;
    const stored = await claim(name).catch((error: unknown) => {
      if (redis.status === 'ready') throw error;
      return null;
    });
    if (stored !== null) return unseal(token, stored);
    try {
      const reply = await send();
      await store(name, token, reply).catch(() => undefined); // it expires by itself
      return reply;
    } catch (error) {
      await redis.del(name).catch(() => undefined);
      throw error;
    }
  };
};
