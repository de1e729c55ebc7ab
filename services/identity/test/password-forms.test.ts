import { hash } from '@node-rs/argon2';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ana, openIdentity } from './open-identity.ts';

const COMPOSED = 'señor 1\u00bd';
const DECOMPOSED = 'sen\u0303or 11\u20442';

let opened: Awaited<ReturnType<typeof openIdentity>>;
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());
beforeEach(() => opened.db.query('DELETE FROM accounts'));

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const register = async (password: string): Promise<string> =>
  (await opened.identity.ask(signUpEndpoints.register, { ...ana, password }, anonymous)).data.id;
const logIn = (password: string): Promise<unknown> =>
  opened.identity.ask(
    logInEndpoints.verifyCredentials,
    { email: ana.email, password, role: 'user' },
    anonymous,
  );
const storedHash = async (): Promise<string | undefined> => {
  const rows: { password_hash: string }[] = await opened.db.query('SELECT password_hash FROM accounts');
  return rows[0]?.password_hash;
};
const WRONG = { code: 'identity.credentials_wrong' };

describe('A2 a password in another Unicode form', () => {
  it.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('A2 %j is accepted as %j', async (chosen, typed) => {
    await register(chosen);
    await logIn(typed);
    await logIn(chosen);
    await expect(logIn('senor 1\u00bd')).rejects.toMatchObject(WRONG);
  });

  it('A2 is accepted after a change as well', async () => {
    const id = await register('open sesame');
    const caller = { role: 'user', userId: id } as const;
    const change = { id, password: DECOMPOSED, currentPassword: 'open sesame' };
    await opened.identity.ask(identityEndpoints.changePassword, change, { caller, timeoutMs: 30_000 });
    await logIn(COMPOSED);
  });

  it('A5 whose hash is of the form as typed is accepted, and the hash is renewed', async () => {
    await register('open sesame');
    const older = await hash(DECOMPOSED, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await opened.db.query('UPDATE accounts SET password_hash = ?', [older]);
    await expect(logIn(COMPOSED)).rejects.toMatchObject(WRONG);
    await logIn(DECOMPOSED);
    expect(await storedHash()).not.toBe(older);
    await logIn(COMPOSED);
    await logIn(DECOMPOSED);
  });

  it('A2 of three characters that was once long enough still logs in, but cannot be chosen', async () => {
    const short = '🎩🎩🎩';
    await expect(register(short)).rejects.toMatchObject({ code: 'request.invalid' });
    await register('open sesame');
    await opened.db.query('UPDATE accounts SET password_hash = ?', [
      await hash(short, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
    ]);
    await logIn(short);
  });
});
