import { identityDoors, type Role } from '@shortlist/contracts/api/identity';
import { createLog } from '@shortlist/kit/log';
import { countStatements } from '@shortlist/kit/testing/count-statements';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertAccount } from '../src/accounts/queries.ts';
import { createIdentity } from '../src/app.ts';
import { createHasher } from '../src/credentials/hasher.ts';
import { schema } from '../src/db.ts';

const { db, drop } = await createTestDb(schema);
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
let identity: OpenedService;
beforeAll(async () => {
  const parts = {
    db,
    hasher: await createHasher(),
    clock: () => new Date(),
    log: createLog('test', 'silent'),
  };
  identity = await openTestService(createIdentity({ ...parts, passwordMin: 6 }), { db });
});
afterAll(async () => {
  await identity.stop();
  await drop();
});

const created = async (role: Role, email: string): Promise<string> => {
  const row = { id: uuidv7(), email, passwordHash: 'none', role, createdAt: new Date() };
  await insertAccount(db.manager, row);
  return row.id;
};
const emailsOf = async (ids: string[]) =>
  (await identity.ask(identityDoors.adminEmails, { ids: ids.join(',') }, admin)).data;

it('J4 the addresses of admins are one statement, however many are asked for', async () => {
  const ids = [await created('admin', 'one@shortlist.test'), await created('admin', 'two@shortlist.test')];
  for (const asked of [ids.slice(0, 1), [...ids, ...Array.from({ length: 198 }, () => uuidv7())]])
    expect(await countStatements(db, () => emailsOf(asked))).toBe(1);
  expect(await emailsOf(ids)).toEqual([
    { id: ids[0], email: 'one@shortlist.test' },
    { id: ids[1], email: 'two@shortlist.test' },
  ]);
});

it('addresses are told of admins alone, and to admins alone', async () => {
  const id = await created('user', 'ana@talent.test');
  expect(await emailsOf([id, uuidv7(), ''])).toEqual([]);
  const asAna = { caller: { role: 'user', userId: id } } as const;
  await expect(identity.ask(identityDoors.adminEmails, { ids: id }, asAna)).rejects.toMatchObject({
    code: 'session.forbidden',
  });
});
