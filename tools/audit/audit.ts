import { createKafka } from '@shortlist/kit/messaging/kafka';
import { createLog } from '@shortlist/kit/process/log';
import { createRedis } from '@shortlist/kit/data/redis';
import { createConnection } from 'mysql2/promise';
import { eventsArrived, outboxesAreDrained } from './events.ts';
import { ledgerAddsUp } from './ledger.ts';
import { mailsWentOnce } from './mails.ts';
import { accountsHaveProfiles, sessionsHaveOwners, wordsCarryProfiles } from './users.ts';
import { copiesAreNewest, oneWindowForEachInvoice, premiumIsPaidOrGranted } from './plans.ts';
import { providerAgrees } from './provider.ts';
import type { Breach, Invariant, Sources } from './sources.ts';

const INVARIANTS: readonly Invariant[] = [
  premiumIsPaidOrGranted,
  providerAgrees,
  oneWindowForEachInvoice,
  ledgerAddsUp,
  accountsHaveProfiles,
  outboxesAreDrained,
  eventsArrived,
  copiesAreNewest,
  wordsCarryProfiles,
  sessionsHaveOwners,
  mailsWentOnce,
];

/** Where everything lies that the auditor reads. */
export type Addresses = {
  databaseAdminUrl: string;
  kafkaBrokers: string;
  sessionsRedisUrl: string;
  sandboxUrl: string;
  stripeKey: string;
};

/** Holds every invariant (V1 to V8) against what can be read now. */
export const findBreaches = async (sources: Sources): Promise<Breach[]> => {
  const breaches: Breach[] = [];
  for (const invariant of INVARIANTS) breaches.push(...(await invariant(sources)));
  return breaches;
};

/** Opens all databases, the provider's records, the topics and the sessions, and holds every invariant against them. */
export const audit = async (addresses: Addresses): Promise<Breach[]> => {
  const log = createLog('auditor', 'silent');
  const db = await createConnection({ uri: addresses.databaseAdminUrl, timezone: 'Z' });
  const bus = createKafka({ brokers: addresses.kafkaBrokers.split(','), clientId: 'auditor', log });
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
