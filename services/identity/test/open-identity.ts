import type { NewAccount } from '@shortlist/contracts/api/authentication';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import type { SharedClock } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createLog } from '@shortlist/kit/process/log';
import { createTestDb, type TestDb, untilLockWait } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { expect } from 'vitest';
import { createIdentity } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { createFactorKeys } from '../src/factors/factor-keys.ts';
import { createHasher, createPasswordPolicy, type Hasher } from '../src/passwords.ts';

export const FACTOR_KEY = 'f'.repeat(32);

/** A valid sign-up. */
export const ana: NewAccount = {
  email: 'ana@talent.test',
  password: 'open sesame',
  ...exampleProfile(),
  picture: null,
};

/** Opens identity with a database of its own; `close` closes both. */
export const openIdentity = async ({
  clock = () => new Date(),
  sharedClock = () => Promise.resolve(clock()),
  hasher,
  ...pool
}: { poolSize?: number; clock?: Clock; sharedClock?: SharedClock; hasher?: Hasher } = {}): Promise<{
  db: TestDb['db'];
  identity: OpenedService;
  /** Waits until a request waits for the lock of an account. */
  untilAccountLocked: () => Promise<void>;
  close: () => Promise<void>;
}> => {
  const { db, drop } = await createTestDb({ ...schema, ...pool });
  const service = createIdentity({
    db,
    hasher: hasher ?? (await createHasher()),
    clock,
    sharedClock,
    publicUrl: 'https://shortlist.test',
    keys: createFactorKeys([FACTOR_KEY]),
    log: createLog('test', 'silent'),
    webhookTargets: 'public',
    passwordPolicy: createPasswordPolicy({ min: 6, breachedUrl: '', log: createLog('test', 'silent') }),
  });
  const identity = await openTestService(service, { db });
  const close = async (): Promise<void> => {
    await identity.stop();
    await drop();
  };
  return { db, identity, untilAccountLocked: () => untilLockWait(db, /accounts.*FOR UPDATE$/s), close };
};

/** A version or generation after a change that was made now, by a clock that tests may set ahead by some days. */
export const versionOfNow = (): number => expect.closeTo(Date.now() / 1_000, -6) as number;
