import { identityEndpoints, type PasswordChange } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAdmin } from '../src/team/change-admin.ts';
import { createHasher } from '../src/passwords.ts';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const password = 'another sesame';
const WRONG = {
  code: 'identity.current_password_wrong',
  status: 400,
  fields: { currentPassword: 'This is not your current password.' },
};

let opened: Awaited<ReturnType<typeof openIdentity>>;
let anaId = '';
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  anaId = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});

const as = (role: 'user' | 'admin', userId: string) =>
  ({ caller: { role, userId }, timeoutMs: 30_000 }) as const;
const change = (input: PasswordChange, caller = as('user', anaId)) =>
  opened.identity.ask(identityEndpoints.changePassword, input, caller);
const check = (input: PasswordChange, caller = as('user', anaId)) =>
  opened.identity.ask(identityEndpoints.checkPasswordChange, input, caller);
const logIn = (typed: string) =>
  opened.identity.ask(
    logInEndpoints.verifyCredentials,
    { email: ana.email, password: typed, role: 'user' },
    anonymous,
  );

describe('A9 a change of one’s own password', () => {
  it('A9 is refused without the current password and with a wrong one', async () => {
    for (const attempt of [change, check]) {
      await expect(attempt({ id: anaId, password })).rejects.toMatchObject(WRONG);
      await expect(attempt({ id: anaId, password, currentPassword: 'not this one' })).rejects.toMatchObject(
        WRONG,
      );
    }
    await logIn(ana.password);
  });

  it('A9 needs the current password of an admin as well', async () => {
    const email = 'root@talent.test';
    await createAdmin(
      { db: opened.db, hasher: await createHasher(), clock: () => new Date() },
      { email, password: 'the current one' },
    );
    const service = asService();
    const { data } = await opened.identity.ask(identityEndpoints.listAdmins, {}, service);
    const id = data[0]?.userId ?? '';
    const admin = as('admin', id);
    await expect(change({ id, password }, admin)).rejects.toMatchObject(WRONG);
    await change({ id, password, currentPassword: 'the current one' }, admin);
    await expect(change({ id, password }, as('admin', uuidv7()))).rejects.toMatchObject({
      code: 'identity.user_not_found',
    });
  });

  it('A9 is checked without a change', async () => {
    await check({ id: anaId, password, currentPassword: ana.password });
    await expect(
      check({ id: anaId, password: 'short', currentPassword: ana.password }),
    ).rejects.toMatchObject({
      fields: { password: expect.stringContaining('at least') as string },
    });
    await logIn(ana.password);
  });
});

it('A9 an admin sets the password of a user without the current one', async () => {
  await change({ id: anaId, password }, as('admin', uuidv7()));
  await logIn(password);
});
