import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  type Caller,
  createTokenSigner,
  createTokenVerifier,
  type TokenKeys,
} from '../src/http/service-token.ts';

const OLD = { id: 'old', secret: 'a key that is about to be replaced' };
const NEW = { id: 'new', secret: 'the key that replaces the older one' };
const admin: Caller = { role: 'admin', userId: 'root' };

const NOW = new Date('2026-11-22T12:00:00Z');
const after = (ms: number) => () => new Date(NOW.getTime() + ms);
const signerOf = (keys: TokenKeys, clock = after(0)) => createTokenSigner({ keys: { notes: keys }, clock });
const verifierOf = (keys: TokenKeys, clock = after(0)) =>
  createTokenVerifier({ keys, audience: 'notes', clock });
const REFUSED = { code: 'service.token_refused' };

describe('a key of the tokens', () => {
  it('B8 can be replaced without a refused call: added last, moved to the front, then used alone', async () => {
    const steps: TokenKeys[] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
    for (const [index, keys] of steps.entries())
      for (const others of steps.slice(Math.max(0, index - 1), index + 2))
        // processes restart one after the other
        expect(await verifierOf(others)(await signerOf(keys)('notes', admin))).toEqual(admin);
  });

  it('B8 that a service no longer has is refused, even under the id of another', async () => {
    const token = await signerOf([OLD])('notes', admin);
    await expect(verifierOf([NEW])(token)).rejects.toMatchObject(REFUSED);
    const renamed = await signerOf([{ ...OLD, id: NEW.id }])('notes', admin);
    await expect(verifierOf([NEW])(renamed)).rejects.toMatchObject(REFUSED);
    await expect(verifierOf([])(token)).rejects.toMatchObject(REFUSED);
  });

  it('is needed to call a service', async () => {
    await expect(signerOf([NEW])('credits', admin)).rejects.toThrow('no key for tokens of credits');
  });
});

it('the token of a call names the app that acts for the user, even if the user called without one just before', async () => {
  const sign = signerOf([NEW]);
  const user: Caller = { role: 'user', userId: 'ada' };
  const tool: Caller = { ...user, clientId: 'key_1' };
  for (const caller of [user, tool, user])
    expect(await verifierOf([NEW])(await sign('notes', caller))).toEqual(caller);
});

describe('a token', () => {
  type Claims = { role?: string; issuedAt?: number | null; expires?: number | null; kid?: string };
  const seconds = NOW.getTime() / 1000;
  const forge = ({ role = 'admin', issuedAt = 0, expires = 30, kid = NEW.id }: Claims): Promise<string> => {
    const token = new SignJWT({ role }).setProtectedHeader({ alg: 'HS256', kid });
    token.setIssuer('shortlist').setAudience('notes');
    if (issuedAt !== null) token.setIssuedAt(seconds + issuedAt);
    if (expires !== null) token.setExpirationTime(seconds + expires);
    return token.sign(Buffer.from(NEW.secret));
  };

  it.each<[string, Claims, Caller | null]>([
    ['of half a minute', {}, { role: 'admin', userId: null }],
    ['of an unknown role', { role: 'root' }, null],
    ['of an unknown key', { kid: 'other' }, null],
    ['that never expires', { expires: null }, null],
    ['without the time of its issue', { issuedAt: null }, null],
    ['that was issued six minutes ago and has not expired', { issuedAt: -360, expires: 3_600 }, null],
    ['of the future', { issuedAt: 60, expires: 90 }, null],
  ])('B8 %s is accepted or refused as expected', async (_, claims, caller) => {
    const verified = verifierOf([NEW])(await forge(claims));
    if (caller === null) await expect(verified).rejects.toMatchObject(REFUSED);
    else expect(await verified).toEqual(caller);
  });

  it('B8 without a signature is refused', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { role: 'admin', aud: 'notes', iss: 'shortlist', iat: seconds, exp: seconds + 30 };
    const token = `${part({ alg: 'none', kid: NEW.id })}.${part(claims)}.`;
    await expect(verifierOf([NEW])(token)).rejects.toMatchObject(REFUSED);
  });

  it('B8 that was accepted before is refused once it has expired, if the clock was set back, and if it is changed', async () => {
    let now = NOW;
    const verify = createTokenVerifier({ keys: [NEW], audience: 'notes', clock: () => now });
    const token = await forge({ expires: 3 });
    expect(await verify(token)).toEqual({ role: 'admin', userId: null });
    await expect(verify(`${token}A`)).rejects.toMatchObject(REFUSED);
    for (const ms of [8_001, -60_000]) {
      now = after(ms)();
      await expect(verify(token)).rejects.toMatchObject(REFUSED);
    }
  });

  it('serves the calls of one caller for ten seconds, and no other caller or service', async () => {
    let now = NOW;
    const sign = createTokenSigner({ keys: { notes: [NEW], credits: [NEW] }, clock: () => now });
    const first = await sign('notes', admin);
    now = after(9_999)();
    expect(await sign('notes', admin)).toBe(first);
    const callers: Caller[] = [
      { role: 'user', userId: 'root' },
      { role: 'admin', userId: 'other' },
      { ...admin, address: '203.0.113.9' },
    ];
    const others = await Promise.all(callers.map((caller) => sign('notes', caller)));
    expect(new Set([first, await sign('credits', admin), ...others]).size).toBe(5);
    expect(await verifierOf([NEW], after(9_999))(others[2])).toEqual(callers[2]);
    now = after(10_000)();
    expect(await sign('notes', admin)).not.toBe(first);
    now = after(-60_000)(); // a clock that was set back makes no token of the future
    expect(await verifierOf([NEW], after(-60_000))(await sign('notes', admin))).toEqual(admin);
  });
});
