// Each alert fires by its cause in a running system, and resolves when the cause is gone.
import { mkdtempSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { days, hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { listDeadLetters, settleDeadLetter } from '@shortlist/kit/messaging/dead-letters';
import { makeCertificates } from '@shortlist/kit/testing/certificates';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { type Connection, createConnection } from 'mysql2/promise';
import { openBus } from '../../harness/broker.ts';
import {
  callApi,
  newUser,
  payAtProvider,
  register,
  setWebhooks,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { select } from '../../harness/database.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { expect, test } from '../../harness/system.ts';

type System = Parameters<typeof startPrometheus>[0];

/** Expressions with limits that are reached in seconds. */
const SHORTENED = {
  OutboxStuck: [['> 60', '> 5']],
  QueueStuck: [['> 300', '> 5']],
  MailsStuck: [['> 900', '> 5']],
  MailsFailing: [['> 0.005', '> 0']],
  MailsBounced: [['> 10', '> 0']],
  WebhooksStuck: [['> 300', '> 5']],
  WebhooksMissing: [['> 5', '> 0']],
  ReconciliationStopped: [['[15m]', '[45s]']],
} as const;

const FIRE_MS = 100_000;
/** Less than the time limit of a call to the provider. */
const SLOW_MAIL_MS = 9_000;
const RESOLVE_MS = 100_000;

const DIRECTORY = mkdtempSync(join(tmpdir(), 'shortlist-alerts-'));
/** The private authorities of bff, which exist before it starts. */
const AUTHORITIES = join(DIRECTORY, 'authorities.pem');

// Time passes at the sandbox of Stripe, which would be ahead in the journeys that follow.
test.use({ systemOf: 'alerts', bffSettings: { NODE_EXTRA_CA_CERTS: AUTHORITIES } });

/** Accepted for the first payment, declined for each later one. */
const LATER_BAD_CARD = '4000000000000341';

const withDatabase = async <T>({ backing }: System, work: (db: Connection) => Promise<T>): Promise<T> => {
  const db = await createConnection({ uri: backing.databaseAdminUrl, timezone: 'Z' });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

const query = (system: System, sql: string): Promise<unknown> => withDatabase(system, (db) => db.query(sql));

const subscribe = async (system: System): Promise<string> =>
  payAtProvider(system, await register(system), LATER_BAD_CARD);

/** Records a backup and a trial of it, so many hours ago. */
const reportBackups = (system: System, hoursAgo: number): Promise<unknown> =>
  query(
    system,
    `REPLACE INTO worker.backup_reports (name, instant)
     VALUES ('backup', NOW(3) - INTERVAL ${hoursAgo} HOUR), ('verified', NOW(3) - INTERVAL ${hoursAgo} HOUR)`,
  );

/** Records a run of `shortlist verify`, so many hours ago. */
const reportVerification = (system: System, hoursAgo: number, breaches: number): Promise<unknown> => {
  const breached = breaches === 0 ? [] : [{ invariant: 'V3', about: 'the ledger adds up', breaches }];
  return query(
    system,
    `REPLACE INTO worker.verifications (name, ended_at, checked, unchecked, breached)
     VALUES ('last', NOW(3) - INTERVAL ${hoursAgo} HOUR, 36, 0, '${JSON.stringify(breached)}')`,
  );
};

/** Lets bff trust an authority that ends in so many days. */
const useAuthority = async (days: number): Promise<void> => {
  const { authority } = await makeCertificates(DIRECTORY, days);
  await copyFile(authority, AUTHORITIES);
};

/** Lets time pass at Stripe, which tries to collect what falls due. */
const advanceStripe = async ({ sandboxUrl }: System, seconds: number): Promise<void> => {
  const { status } = await callApi(`${sandboxUrl}/_sandbox/clock/advance`, 'POST', { body: { seconds } });
  expect(status).toBe(200);
};

/** Lets renewals fail twice. A rate counts from the second value of a series on, and this one begins with the first failures. */
const failRenewals = async (system: System, { sum }: Prometheus): Promise<void> => {
  await advanceStripe(system, inSeconds(days(31) + hours(1)));
  const failures = 'relay_sent_total{type="billing.PaymentFailed.v1"}';
  await expect.poll(() => sum(failures), { timeout: FIRE_MS }).toBeGreaterThan(6);
  await advanceStripe(system, inSeconds(days(3)));
};

const setFaults = async ({ sandboxUrl }: System, ...faults: object[]): Promise<void> => {
  await callApi(`${sandboxUrl}/_sandbox/faults`, 'DELETE');
  for (const fault of faults) await callApi(`${sandboxUrl}/_sandbox/faults`, 'PUT', { body: fault });
};

/** Lets mails come back. An increase counts from the second value of a series on. */
const bounceMails = async (system: System, { sum }: Prometheus): Promise<void> => {
  for (const count of [1, 3]) {
    for (let index = 0; index < count; index += 1) {
      const bouncing = newUser();
      const body = { email: bouncing.email, fate: 'bounce' };
      await callApi(`${system.sandboxUrl}/_sandbox/mailboxes`, 'PUT', { body });
      await signUp(system, bouncing);
    }
    const bounced = 'mail_deliveries_total{outcome="bounced"}';
    await expect.poll(() => sum(bounced), { timeout: FIRE_MS }).toBeGreaterThanOrEqual(count);
  }
};

/** Moves the lookup key of the plan to a new price; billing reads it at its start. */
const changePrice = async (system: System, amount: number): Promise<void> => {
  const body = new URLSearchParams({
    currency: 'usd',
    unit_amount: String(amount),
    'recurring[interval]': 'month',
    lookup_key: 'shortlist_premium_monthly',
    transfer_lookup_key: 'true',
    'metadata[plan]': 'shortlist_premium_monthly',
    'product_data[name]': 'Shortlist Premium',
  });
  const response = await fetch(`${system.sandboxUrl}/v1/prices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.secrets.STRIPE_SECRET_KEY}` },
    body,
  });
  expect(response.status).toBe(200);
  await system.process('billing').restart();
};

/** Publishes a message that no consumer can read. */
const poison = async (system: System): Promise<void> => {
  const bus = openBus(system.backing.kafkaBrokers);
  await bus.publish('identity.events', [{ key: 'poison', value: '{ not json' }]);
  await bus.close();
};

/** Publishes a batch that no consumer decompresses: 40 MiB of zeros. */
const publishUnreadable = async (system: System): Promise<void> => {
  const brokers = [system.backing.kafkaBrokers];
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer({
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  const messages = [{ key: 'huge', value: Buffer.alloc(40 * 1024 * 1024) }];
  await producer.send({ topic: 'identity.events', compression: CompressionTypes.GZIP, messages });
  await producer.disconnect();
};

/** Returns the event of the registration of a user, as it was published. Consumers have handled it and ignore a copy. */
const registrationOf = ({ id }: UserSession, system: System): Promise<string> =>
  withDatabase(system, async (db) => {
    const sql = 'SELECT payload FROM identity.outbox WHERE message_key = ? ORDER BY id LIMIT 1';
    const [row] = await select<{ payload: string }>(db, sql, [id]);
    return row?.payload ?? '';
  });

/** Publishes an event more often than a consumer may be behind. */
const publishOften = async (system: System, value: string): Promise<void> => {
  const bus = openBus(system.backing.kafkaBrokers);
  const copies = Array.from({ length: 1_001 }, () => ({ key: 'copies', value }));
  await bus.publish('identity.events', copies);
  await bus.close();
};

/** Records the dead letters of every consumer as replayed: they can never be handled. */
const settleDeadLetters = async (system: System): Promise<void> => {
  const bus = openBus(system.backing.kafkaBrokers);
  for (const consumer of ['profile', 'billing', 'credits', 'worker', 'bff'])
    for (const deadLetter of await listDeadLetters(bus, consumer))
      await settleDeadLetter(bus, consumer, deadLetter);
  await bus.close();
};

const logInWrongly = (system: System): Promise<unknown> =>
  callApi(`${system.publicUrl}/login`, 'POST', {
    body: { email: newUser().email, password: 'not the password' },
  }).catch(() => null);

const deliverForged = (system: System): Promise<unknown> =>
  callApi(`${system.publicUrl}/api/webhooks/stripe`, 'POST', {
    body: {},
    headers: { 'stripe-signature': 't=1,v1=forged' },
  });

/** Lets a process stand still for less time than a scrape may take. */
const pause = async (system: System, name: 'profile'): Promise<void> => {
  system.process(name).kill('SIGSTOP');
  await sleep(800);
  system.process(name).kill('SIGCONT');
  await sleep(400);
};

/** Repeats work, one call at a time, until stopped. */
const repeatedly = (work: () => Promise<unknown>): (() => Promise<void>) => {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) await work();
  })();
  return () => {
    isStopped = true;
    return running;
  };
};

const missing = (alerts: ReadonlySet<string>, ...expected: string[]): string[] =>
  expected.filter((alert) => !alerts.has(alert));

const expectFired = (prometheus: Prometheus, ...alerts: string[]): Promise<void> =>
  expect.poll(async () => missing(await prometheus.fired(), ...alerts), { timeout: FIRE_MS }).toEqual([]);

const expectQuiet = (prometheus: Prometheus): Promise<void> =>
  expect.poll(async () => [...(await prometheus.firing())], { timeout: RESOLVE_MS }).toEqual([]);

let prometheus: Prometheus;
let user: UserSession;
test.beforeAll(async ({ system }) => {
  user = await register(system);
  await reportBackups(system, 1);
  await useAuthority(60);
  prometheus = await startPrometheus(system, SHORTENED);
  // Rates need two scrapes, and the first comparison with Stripe half a minute.
  await expectQuiet(prometheus);
});
test.beforeEach(() => prometheus.startWatch());
test.afterAll(async () => {
  await prometheus.stop();
  await rm(DIRECTORY, { recursive: true });
});
test.describe.configure({ mode: 'serial' });
test.setTimeout(minutes(6));

test('alerts about mails, webhooks, the ledger, dead letters and log-ins fire by their causes and resolve', async ({
  system,
}) => {
  const body = { reason: 'email_found' };
  const headers = { 'idempotency-key': 'alerts-1' };
  await callApi(`${system.publicUrl}/api/credits/spend`, 'POST', { token: user.token, body, headers });
  await query(system, `UPDATE credits.ledger SET amount = -2 WHERE user_id = '${user.id}'`);
  await poison(system);
  await publishUnreadable(system);
  await setFaults(
    system,
    { path: '/v3/mail/send', status: 500, times: 1_000 },
    { method: 'GET', path: '/v1/subscriptions', status: 500, times: 1_000 },
  );
  await subscribe(system);
  // A rate counts from the second scrape of a series on.
  const stopFlood = repeatedly(async () => {
    await Promise.all(Array.from({ length: 400 }, () => logInWrongly(system)));
    await sleep(3_000);
  });
  await expectFired(prometheus, 'LogInsFailing', 'HashQueueFull');
  await stopFlood();
  // After the flood, during which a scrape may take too long.
  await Promise.all(Array.from({ length: 10 }, () => deliverForged(system)));
  await expectFired(
    prometheus,
    'LedgerDrift',
    'DeadLetters',
    'UnreadableBatches',
    'MailsFailing',
    'MailsStuck',
    'WebhooksStuck',
    'StripeFailing',
    'WebhooksRefused',
  );

  await setFaults(system);
  await query(system, `UPDATE credits.ledger SET amount = -1 WHERE user_id = '${user.id}'`);
  // Their next attempts are minutes away.
  await query(system, 'UPDATE billing.stripe_events SET due_at = NOW(3)');
  await query(system, 'UPDATE worker.mails SET next_try_at = NOW(3)');
  await settleDeadLetters(system);
  await expectQuiet(prometheus);
});

test('alerts about webhooks, payments, the account at Stripe, slow providers and a blocked process fire and resolve', async ({
  system,
}) => {
  await setWebhooks(system, { drop: true });
  await subscribe(system);
  await expectFired(prometheus, 'WebhooksMissing');
  await setWebhooks(system, { drop: false });
  await setFaults(
    system,
    { method: 'POST', path: '/v1/checkout/sessions', delayMs: 2_600, times: 4 },
    { path: '/v3/mail/send', delayMs: SLOW_MAIL_MS, times: 1_000 },
  );
  for (let count = 0; count < 4; count += 1) {
    const { token, email } = await register(system);
    await callApi(`${system.publicUrl}/subscribe?email=${email}`, 'GET', { token });
  }
  await expectFired(prometheus, 'SlowRequests');
  for (let count = 0; count < 6; count += 1) await subscribe(system);
  // Mails that come one after another keep every sender busy, and the next wake-up waits.
  const stopMails = repeatedly(async () => {
    for (let count = 0; count < 8; count += 1) await signUp(system, newUser());
    await sleep(SLOW_MAIL_MS);
  });
  await expectFired(prometheus, 'QueueStuck');
  await stopMails();
  await setFaults(system);
  await bounceMails(system, prometheus);
  await expectFired(prometheus, 'MailsBounced');
  const stopPauses = repeatedly(() => pause(system, 'profile'));
  await failRenewals(system, prometheus);
  await expectFired(prometheus, 'PaymentsFailing', 'EventLoopBlocked');
  await stopPauses();
  const { body } = await setWebhooks(system, {});
  await setWebhooks(system, { url: 'http://127.0.0.1:9/moved' });
  await system.process('billing').restart();
  await expectFired(prometheus, 'StripeSetupFailing');
  await setWebhooks(system, { url: body['url'] });
  await changePrice(system, 7_900);
  await expectFired(prometheus, 'PriceMismatch');
  await changePrice(system, 5_900);
  await expectQuiet(prometheus);
});

test('alerts about backups fire when the newest is too old, and resolve with a new one', async ({
  system,
}) => {
  await reportBackups(system, 51);
  await expectFired(prometheus, 'BackupMissing', 'BackupUnverified');
  await reportBackups(system, 1);
  await expectQuiet(prometheus);
});

test('alerts about the records fire when a check fails, or none was made for long, and resolve', async ({
  system,
}) => {
  await reportVerification(system, 1, 2);
  await expectFired(prometheus, 'RecordsBreached');
  await reportVerification(system, 27, 0);
  await expectFired(prometheus, 'RecordsUnverified');
  await reportVerification(system, 1, 0);
  await expectQuiet(prometheus);
});

test('alerts about certificates fire when one ends, or cannot be read, and resolve with the next', async () => {
  await useAuthority(2);
  await expectFired(prometheus, 'SecretExpiring', 'SecretAlmostExpired');
  await writeFile(AUTHORITIES, 'none');
  await expectFired(prometheus, 'AuthoritiesNotRead');
  await useAuthority(60);
  await expectQuiet(prometheus);
});

test('alerts about servers and processes that are away fire and resolve', async ({ system }) => {
  const { backing } = system;
  const event = await registrationOf(user, system);
  await backing.database.stop();
  await publishOften(system, event);
  await backing.redisSessions.stop();
  const stopRequests = repeatedly(() => logInWrongly(system));
  await expectFired(prometheus, 'DependencyDown', 'HighErrorRate', 'ConsumerLagging');
  await stopRequests();
  await backing.redisSessions.start();
  await backing.database.start();
  await backing.kafka.stop();
  await system.process('worker').stop();
  await expect.poll(async () => (await signUp(system, newUser())).status).toBe(201);
  await expectFired(prometheus, 'OutboxStuck', 'ConsumerDown');
  await expectFired(prometheus, 'ProcessDown', 'ServiceMissing', 'ReconciliationStopped');
  await backing.kafka.start();
  system.process('worker').start();
  await expectQuiet(prometheus);
});
