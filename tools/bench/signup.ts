import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { startSystem, type System } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';
import { newUser } from '../../tests/journeys/client.ts';
import { hashing } from './hash-library.ts';
import { createIdentityClient } from './identity-client.ts';
import { line, measureInTurns, ratio, type Subject } from './rounds.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SECONDS = 4;
/** Sign-ups at once. */
const CONCURRENCY = 8;

type SignUps = Subject & { count: () => number };

const registering = (system: System): SignUps => {
  const identity = createIdentityClient(system);
  let registered = 0;
  return {
    name: 'identity: POST /accounts',
    run: async () => {
      const account = { ...newUser(), picture: null };
      await identity(identityEndpoints.register, account, { caller: { role: 'anonymous', userId: null } });
      registered += 1;
    },
    count: () => registered,
  };
};

type Stored = { accounts: number; events: number; unpublished: number };

const readStored = async ({ backing }: System): Promise<Stored> => {
  const db = await createConnection(backing.databaseAdminUrl);
  const [rows] = await db.query(
    `SELECT (SELECT COUNT(*) FROM identity.accounts WHERE role = 'user') AS accounts,
            COUNT(*) AS events, COALESCE(SUM(published_at IS NULL), 0) AS unpublished FROM identity.outbox`,
  );
  await db.end();
  const [row] = rows as Stored[];
  return {
    accounts: Number(row?.accounts),
    events: Number(row?.events),
    unpublished: Number(row?.unpublished),
  };
};

const assertStored = async (system: System, registered: number): Promise<Stored> => {
  const stored = await readStored(system);
  const { accounts, events } = stored;
  if (accounts !== registered || events < registered)
    throw new Error(`${registered} sign-ups stored ${accounts} accounts and ${events} events`);
  return stored;
};

/** P5 Compares sign-ups, whose events are published, with the hash library alone. The other processes are stopped. */
export const benchSignup = async (print: (text: string) => void): Promise<void> => {
  const system = await startSystem({});
  try {
    for (const name of PROCESS_NAMES) if (name !== 'identity') await system.process(name).stop();
    const signUps = registering(system);
    const plan = { rounds: ROUNDS, seconds: SECONDS, concurrency: CONCURRENCY };
    const [library, registered] = await measureInTurns([hashing(), signUps], plan);
    const { accounts, unpublished } = await assertStored(system, signUps.count());
    print(`P5 sign-ups, ${CONCURRENCY} at once`);
    if (library) print(`  ${line(library)}`);
    if (registered) print(`  ${line(registered)}   of the library ${ratio(registered, library)}`);
    print(`  ${accounts} accounts stored; events that were still unpublished at the end: ${unpublished}`);
  } finally {
    await system.stop();
  }
};
