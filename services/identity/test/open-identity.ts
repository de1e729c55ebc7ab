import type { NewAccount } from '@shortlist/contracts/api/identity';
import { COUNTRIES, ORGANIZATION_TYPES } from '@shortlist/contracts/option-lists';
import type { SharedClock } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createLog } from '@shortlist/kit/process/log';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { createIdentity } from '../src/app.ts';
import { createFactorKeys } from '../src/factors/factor-keys.ts';
import { createHasher, type Hasher } from '../src/passwords/hasher.ts';
import { createPasswordPolicy } from '../src/passwords/password-policy.ts';
import { schema } from '../src/db.ts';

/** A valid sign-up. */
export const ana: NewAccount = {
  email: 'ana@talent.test',
  password: 'open sesame',
  firstName: 'Ana',
  lastName: 'Souza',
  organizationName: 'Talent Field',
  typeOfOrganization: ORGANIZATION_TYPES[0],
  primaryRecruitingIndustry: 'Software',
  country: COUNTRIES[0] ?? '',
  city: 'Recife',
  linkedin: '',
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
  close: () => Promise<void>;
}> => {
  const { db, drop } = await createTestDb({ ...schema, ...pool });
  const service = createIdentity({
    db,
    hasher: hasher ?? (await createHasher()),
    clock,
    sharedClock,
    factorKeys: createFactorKeys(['f'.repeat(32)]),
    log: createLog('test', 'silent'),
    passwordPolicy: createPasswordPolicy({ min: 6, breachedUrl: '', log: createLog('test', 'silent') }),
  });
  const identity = await openTestService(service, { db });
  const close = async (): Promise<void> => {
    await identity.stop();
    await drop();
  };
  return { db, identity, close };
};
