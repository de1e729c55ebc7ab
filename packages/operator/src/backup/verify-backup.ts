// Tries the newest backup: restores it into a scratch server, migrates it there and checks its invariants.
import { minutes } from '@shortlist/contracts/durations';
import { migrateDatabase } from '@shortlist/kit/data/migrate';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import type { Schema } from '../service-db.ts';
import { verify, type VerifyResult } from '../verify/verify.ts';
import { type Contents, type Service, SERVICES } from './manifest.ts';
import { emptyScratchServer } from './previous-state.ts';
import { planRestore, type RestorePlan } from './restore-plan.rules.ts';
import { restoreDatabases, type Restoring } from './restore-databases.ts';
import { checkSealed } from './sealed-file.ts';

export type Schemas = Readonly<Record<Service, () => Promise<Schema>>>;

export type Verifying = {
  restoring: Restoring;
  /** The address of the scratch server. */
  url: string;
  schemas: Schemas;
  report: (line: string) => void;
};

const databaseUrl = (url: string, service: Service): string => {
  const address = new URL(url);
  address.pathname = `/${service}`;
  return address.href;
};

const migrateAll = async ({ url, schemas }: Verifying): Promise<void> => {
  for (const service of SERVICES)
    await migrateDatabase(
      { name: service, ...(await schemas[service]()) },
      { DATABASE_URL: databaseUrl(url, service), LOG_LEVEL: 'silent' },
    );
};

/** Checks the restored databases with each other. Topics, sessions and the provider are of another time. */
const checkAll = async ({ url }: Verifying, now: Date): Promise<VerifyResult> => {
  const readers: Partial<Record<Service, Reader>> = {};
  try {
    for (const service of SERVICES) readers[service] = await openReader(databaseUrl(url, service));
    return await verify({ ...readers, now });
  } finally {
    for (const reader of Object.values(readers)) await reader.close();
  }
};

const check = async (verifying: Verifying, plan: RestorePlan): Promise<VerifyResult> => {
  const { restoring, report } = verifying;
  await emptyScratchServer(restoring.server);
  await restoreDatabases(restoring, plan, { services: SERVICES, report });
  await migrateAll(verifying);
  report('migrated');
  return checkAll(verifying, plan.at);
};

/** An event in transit breaks an invariant for a moment, so a breach counts when it is there at two instants this far apart. */
const APART_MS = minutes(1);

const textOf = ({ invariant, detail }: VerifyResult['breaches'][number]): string => `${invariant} ${detail}`;

type Verification = { plan: RestorePlan; result: VerifyResult };

const verifyTwice = async (verifying: Verifying, contents: Contents): Promise<Verification> => {
  const plan = planRestore(contents);
  for (const list of contents.deletions) await checkSealed(verifying.restoring, list);
  const first = await check(verifying, plan);
  if (first.breaches.length === 0) return { plan, result: first };
  const earlier = new Date(Math.max(plan.at.getTime() - APART_MS, Date.parse(plan.backup.endedAt)));
  if (earlier.getTime() === plan.at.getTime()) return { plan, result: first };
  verifying.report(`${first.breaches.length} breaches: comparing with another instant`);
  const second = new Set((await check(verifying, planRestore(contents, earlier))).breaches.map(textOf));
  const breaches = first.breaches.filter((breach) => second.has(textOf(breach)));
  return { plan, result: { ...first, breaches } };
};

/** Restores the newest backup up to the end of the log, and once more to another instant when there are breaches. Also reads the lists of deletions. */
export const verifyBackup = async (verifying: Verifying, contents: Contents): Promise<Verification> => {
  await emptyScratchServer(verifying.restoring.server); // throws for a server with other data
  try {
    return await verifyTwice(verifying, contents);
  } finally {
    await emptyScratchServer(verifying.restoring.server);
  }
};
