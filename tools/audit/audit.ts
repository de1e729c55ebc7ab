import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import { createRedis } from '@shortlist/kit/data/redis';
import { createConnection } from 'mysql2/promise';
import { eventsArrived, outboxesAreEmpty } from './events.ts';
import { ledgerAddsUp } from './ledger.ts';
import { mailsWentOnce } from './mails.ts';
import { accountsHaveProfiles, sessionsHaveOwners, termsMatchProfiles } from './users.ts';
import { planCopiesAreNewest, oneWindowForEachInvoice, premiumIsPaidOrGranted } from './plans.ts';
import { providerAgrees } from './provider.ts';
import { recordsAgree } from './records.ts';
import type { Breach, Invariant, Sources } from './sources.ts';

const INVARIANTS: readonly Invariant[] = [
  premiumIsPaidOrGranted,
  providerAgrees,
  recordsAgree,
  oneWindowForEachInvoice,
  ledgerAddsUp,
  accountsHaveProfiles,
  outboxesAreEmpty,
  eventsArrived,
  planCopiesAreNewest,
  termsMatchProfiles,
  sessionsHaveOwners,
  mailsWentOnce,
];

/** The addresses of everything that the auditor reads. */
export type Addresses = {
  databaseAdminUrl: string;
  kafkaBrokers: string;
  sessionsRedisUrl: string;
  sandboxUrl: string;
  stripeKey: string;
};

/** Checks every invariant (V1 to V8) against the current state. Returns the breaches. */
export const findBreaches = async (sources: Sources): Promise<Breach[]> => {
  const breaches: Breach[] = [];
  for (const invariant of INVARIANTS) breaches.push(...(await invariant(sources)));
  return breaches;
};

/** Connects to the databases, Kafka, Redis and the provider and checks every invariant. */
export const audit = async (addresses: Addresses): Promise<Breach[]> => {
  const log = createLog('auditor', 'silent');
  const db = await createConnection({ uri: addresses.databaseAdminUrl, timezone: 'Z' });
  const bus = createKafka({
    ...{ clientId: 'auditor', log },
    settings: readKafkaSettings({ KAFKA_BROKERS: addresses.kafkaBrokers }),
  });
  const sessions = createRedis(addresses.sessionsRedisUrl, log);
  if (sessions.status !== 'ready') await new Promise((resolve) => sessions.once('ready', resolve));
  try {
    const { sandboxUrl, stripeKey } = addresses;
    return await findBreaches({ db, bus, sessions, sandboxUrl, stripeKey, now: new Date() });
  } finally {
    sessions.disconnect();
    await bus.close();
    await db.end();
  }
};
