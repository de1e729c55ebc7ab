// Adds one breach at a time to consistent tables and expects `verify` to report it by its ids.
import { days, inSeconds } from '@shortlist/contracts/durations';
import { schema as billing } from '@shortlist/billing/db';
import { recordPage } from '@shortlist/billing/revenue/record-movements';
import { readEarnings } from '@shortlist/billing/earnings/read-earnings';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { subscriptionChanged } from '@shortlist/contracts/events/billing';
import { creditsGranted, type CreditsSpent, creditsSpent } from '@shortlist/contracts/events/credits';
import type { EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { schema as credits } from '@shortlist/credits/db';
import { schema as identity } from '@shortlist/identity/db';
import type { Tx } from '@shortlist/kit/data/db';
import { eventOf as createEvent } from '@shortlist/kit/testing/event-of';
import type { Message } from '@shortlist/kit/messaging/bus';
import { createMemoryBus } from '@shortlist/kit/testing/memory-bus';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { schema as profile } from '@shortlist/profile/db';
import { schema as worker } from '@shortlist/worker/db';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { verify } from '../src/verify/verify.ts';
import {
  consistentProvider,
  consistentRecords,
  listOf,
  type ProviderObjects,
  startProvider,
} from './provider-state.ts';
import type { Sources } from '../src/verify/sources.ts';

const SCHEMAS = { identity, profile, billing, credits, worker };
const NOW = new Date('2026-03-05T00:00:00Z');
const ADA = '01900000-0000-7000-8000-0000000000aa';
const BEA = '01900000-0000-7000-8000-0000000000bb';
const PAID = '01900000-0000-7000-8000-000000000001';
const WELCOME = '01900000-0000-7000-8000-000000000002';

const GONE = '01900000-0000-7000-8000-0000000000cc';
const TIME = '2026-03-01T00:00:00.000Z';
const REGISTERED = { ...exampleProfile(), email: 'bea@people.test', picture: null, createdAt: TIME };

const cover = (key: string): string =>
  JSON.stringify({ key, start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z', graceUntil: null });
const eventOf = (id: string, type: string): string => JSON.stringify({ id, type });

/** A consistent state: one user has paid, spent two credits, got one back and received the receipt. */
const CONSISTENT_STATE = [
  `INSERT INTO identity.accounts (id, email, password_hash, role, created_at) VALUES ('${ADA}', 'ada@people.test', 'x', 'user', '2026-03-01')`,
  `INSERT INTO profile.profiles (user_id, email, first_name, last_name, organization_name, type_of_organization,
     primary_recruiting_industry, country, city, linkedin, created_at, plan_version, terms)
   VALUES ('${ADA}', 'ada@people.test', 'Ada', 'L', 'x', 'x', 'x', 'x', 'x', '', '2026-03-01', 1, ' ada')`,
  `INSERT INTO profile.directory_terms (user_id, term, email, first_name, last_name, organization_name, country, created_at, premium_until, terms)
     SELECT user_id, 'ada', email, first_name, last_name, organization_name, country,
     created_at, premium_until, terms FROM profile.profiles`,
  `INSERT INTO billing.subscribers (user_id, email, name, customer_id, version, paid)
   VALUES ('${ADA}', 'ada@people.test', 'Ada L', 'cus_1', 1, '${cover('in_1')}')`,
  ...consistentRecords(ADA),
  `INSERT INTO billing.outbox (id, event_id, topic, message_key, payload, created_at, published_at)
     VALUES (1, '${PAID}', 'billing.events', '${ADA}',
     '${eventOf(PAID, 'billing.PaymentSucceeded.v1')}', '2026-03-01', '2026-03-01')`,
  ...['profile', 'credits', 'worker'].map(
    (consumer) => `INSERT INTO ${consumer}.inbox (consumer, event_id, handled_at)
     VALUES ('${consumer}', '${PAID}', '2026-03-01')`,
  ),
  `INSERT INTO credits.accounts (user_id, plan_version, plan_state)
     VALUES ('${ADA}', 1, '{}')`,
  `INSERT INTO credits.credit_buckets (id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES (7, '${ADA}', 'in_1', 'premium', 500, 1, '2026-03-01', '2026-04-01')`,
  ...[
    [1, -1, 1],
    [2, -1, 2],
    [3, 0, 2],
    [4, 1, 1],
  ].map(
    ([id, amount, usedAfter]) =>
      `INSERT INTO credits.ledger (id, user_id, window_id, operation_id, amount, reason, reference, used_after, created_at)
     VALUES (${id}, '${ADA}', 7, 'operation-${id}', ${amount}, 'email_found', NULL, ${usedAfter}, '2026-03-02')`,
  ),
  `INSERT INTO worker.mails (id, template, user_id, event_id, data, status, uncertain, attempts, last_error, created_at, changed_at, redacted_at)
     VALUES ('${WELCOME}', 'receipt', '${ADA}', '${PAID}', '{}', 'sent', FALSE, 1, NULL, '2026-03-01', '2026-03-01', NULL)`,
];

let databases: [string, TestDb][];
let connection: Connection;
let readers: Record<string, Reader>;
let server: Awaited<ReturnType<typeof startProvider>>;
let provider: ProviderObjects;
let mails: string[];
let sessions: Map<string, string>;

/** Replaces the product's database names by those of this test. */
const withTestDatabases = (sql: string): string =>
  databases.reduce(
    (text, [name, { url }]) =>
      text.replace(
        new RegExp(`\\b${name}\\.(?=[a-z_]+\\b)(?!events)`, 'g'),
        `${new URL(url).pathname.slice(1)}.`,
      ),
    sql,
  );
const run = async (statements: string[]): Promise<void> => {
  for (const statement of statements) await connection.query(withTestDatabases(statement));
};

/** The movements of revenue that follow from billing's records. */
const recordRevenue = async (): Promise<void> => {
  const billing = databases.find(([name]) => name === 'billing')?.[1];
  if (billing) await recordPage({ db: billing.db, clock: () => new Date('2026-05-01T00:00:00Z') }, '');
};

beforeAll(async () => {
  const open = async ([name, schema]: [string, Parameters<typeof createTestDb>[0]]): Promise<
    [string, TestDb]
  > => [name, await createTestDb({ ...schema, poolSize: 1 })];
  databases = await Promise.all(Object.entries(SCHEMAS).map(open));
  readers = Object.fromEntries(
    await Promise.all(databases.map(async ([name, { url }]) => [name, await openReader(url)] as const)),
  );
  connection = await createConnection({ uri: inject('databaseAdminUrl'), timezone: 'Z' });
  server = await startProvider((path) =>
    path.startsWith('/v1/') ? provider[listOf(path)] : mails.map((id) => ({ customArgs: { mail_id: id } })),
  );
});
afterAll(async () => {
  server.close();
  for (const { close } of Object.values(readers)) await close();
  await connection.end();
  for (const [, { drop }] of databases) await drop();
});

beforeEach(async () => {
  provider = consistentProvider();
  mails = [WELCOME];
  sessions = new Map([['session:{a}:1', ADA]]);
  await run(CONSISTENT_STATE);
  await recordRevenue();
});
afterEach(async () => {
  for (const [name, { db }] of databases) {
    const tables: { TABLE_NAME: string }[] = await db.query(
      "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> 'migrations'",
    );
    await run(tables.map(({ TABLE_NAME }) => `DELETE FROM ${name}.${TABLE_NAME}`));
  }
});

const PAID_MESSAGE = { key: ADA, value: eventOf(PAID, 'billing.PaymentSucceeded.v1') };

const earnings = () => {
  const manager = databases.find(([name]) => name === 'billing')?.[1].db.manager;
  const year = { period: 'year', timeZone: 'UTC', currency: 'usd', now: NOW } as const;
  return readEarnings(manager as Tx, year); // opened before each test
};

const verifyNow = async (
  topics: Record<string, Message[]> = { 'billing.events': [PAID_MESSAGE] },
): Promise<string[]> => {
  const bus = createMemoryBus();
  for (const [topic, messages] of Object.entries(topics)) await bus.publish(topic, messages);
  const sources = {
    ...readers,
    bus,
    sandbox: server.url,
    provider: { url: server.url, key: 'key' },
    earnings,
    sessions: {
      scan: () => Promise.resolve(['0', [...sessions.keys()].filter((key) => key.startsWith('session:'))]),
      get: (key: string) => Promise.resolve(sessions.get(key) ?? null),
      hget: (key: string, field: string) =>
        Promise.resolve(field === 'generation' ? '0' : (sessions.get(key) ?? null)),
    },
    now: NOW,
  } as unknown as Sources; // only the methods that `verify` calls
  const { breaches, unchecked } = await verify(sources);
  expect(unchecked).toEqual([]);
  return breaches.map(({ invariant, detail }) => `${invariant} ${detail}`);
};

it('a consistent state has no breach', async () => {
  expect(await verifyNow()).toEqual([]);
});

it('V1 a period that a discount covered in full is not a breach', async () => {
  for (const invoice of provider['invoices'] ?? []) invoice['amount_paid'] = 0;
  provider['refunds'] = [];
  await run([
    'UPDATE billing.invoices SET amount = 0, fee = 0, settlement_amount = 0, booked_at = paid_at',
    'DELETE FROM billing.refunds',
  ]);
  await recordRevenue();
  expect(await verifyNow()).toEqual([]);
});

const NO_CHECKS = 'SET check_constraint_checks = 0';
const CHECKS = 'SET check_constraint_checks = 1';

type Case = [breach: string, statements: string[]];
/** From 31 January to 20 March, recorded and used as it should be. */
const GRANT_OF_TWO_MONTHS = [
  `UPDATE billing.subscribers SET granted = '{"key":"grant:9","start":"2026-01-31T10:00:00.000Z","end":"2026-03-20T10:00:00.000Z","graceUntil":null,"months":2}'`,
  `INSERT INTO billing.audit_log (id, at, actor_id, address, action, target_id, after_state)
     SELECT UUID(), '2026-01-31 10:00:00', user_id, '', 'plan.grant', user_id,
       CONCAT('{"version":1,"paid":null,"granted":', granted, '}') FROM billing.subscribers WHERE user_id = '${ADA}'`,
  `INSERT INTO credits.credit_buckets (user_id, source_key, plan, credit_limit, usable, used, starts_at, ends_at)
     VALUES ('${ADA}', 'grant:9', 'premium', 500, 500, 0, '2026-01-31 10:00:00', '2026-02-28 10:00:00')`,
];

const BREACHES: Case[] = [
  [
    `V1 ${ADA} is premium without a paid invoice of their own or a recorded grant`,
    ['UPDATE billing.invoices SET refunded = 5900'],
  ],
  [
    `V1 ${ADA} is premium without a paid invoice of their own or a recorded grant`,
    ["UPDATE billing.subscriptions SET cancel_reason = 'shortlist:trial'"],
  ],
  [
    `V1 sub_1 is active at the provider and ${ADA} is not premium`,
    ['UPDATE billing.subscribers SET paid = NULL'],
  ],
  [
    `V1 sub_1 continues for ${ADA}, who is deleted`,
    [`UPDATE billing.subscribers SET deleted_at = '2026-03-05'`],
  ],
  [
    'V2 bucket 8 was opened by in_1, which is not a paid invoice of its user',
    [
      `INSERT INTO credits.credit_buckets (id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES (8, '${BEA}', 'in_1', 'premium', 500, 0, '2026-03-01', '2026-04-01')`,
    ],
  ],
  [
    'V2 bucket 8 was opened by in_9, which is not a paid invoice of its user',
    [
      `INSERT INTO credits.credit_buckets (id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES (8, '${ADA}', 'in_9', 'premium', 500, 0, '2026-03-01', '2026-04-01')`,
    ],
  ],
  [
    'V2 bucket 8 was opened by grant:9, which is not recorded',
    [
      `INSERT INTO credits.credit_buckets (id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES (8, '${ADA}', 'grant:9', 'premium', 500, 0, '2026-03-01', '2026-04-01')`,
    ],
  ],
  ...(
    [
      ['grant:9:2', '2026-03-28 00:00:00', '2026-04-10 00:00:00'], // after the grant
      ['grant:9:1', '2026-03-01 00:00:00', '2026-03-05 00:00:00'], // at another time
      ['grant:9:1', '2026-02-28 10:00:00.001', '2026-03-05 00:00:00'],
    ] as const
  ).map(([source, from, to]): Case => [
    `V2 bucket 8 of ${source} is not a month of the recorded grant`,
    [
      ...GRANT_OF_TWO_MONTHS,
      `INSERT INTO credits.credit_buckets (id, user_id, source_key, plan, credit_limit, usable, used, starts_at, ends_at)
       VALUES (8, '${ADA}', '${source}', 'premium', 500, 500, 0, '${from}', '${to}')`,
    ],
  ]),
  [
    `V1 ${ADA} is premium without a paid invoice of their own or a recorded grant`,
    [
      ...GRANT_OF_TWO_MONTHS,
      "UPDATE billing.subscribers SET granted = JSON_SET(granted, '$.end', '2026-04-01T00:00:00.000Z')",
    ],
  ],
  ['V3 bucket 7 has 4 used, its ledger 1', ['UPDATE credits.credit_buckets SET used = 4']],
  [
    'V3 bucket 7 has 1 used and 500 usable of 0',
    [NO_CHECKS, 'UPDATE credits.credit_buckets SET credit_limit = 0', CHECKS],
  ],
  ['V3 bucket 7 has 1 used and 499 usable of 500', ['UPDATE credits.credit_buckets SET usable = 499']],
  [
    'V3 bucket 7 has 1 used and 249 usable of 500',
    ['UPDATE billing.invoices SET refunded = 2950', 'UPDATE credits.credit_buckets SET usable = 249'],
  ],
  [
    'V3 ledger row 2 states 3 used, the rows up to it 2',
    ['UPDATE credits.ledger SET used_after = 3 WHERE id = 2'],
  ],
  [
    `V4 ${ADA} has an account and no profile`,
    ['DELETE FROM profile.profiles', 'DELETE FROM profile.directory_terms'],
  ],
  [`V4 ${ADA} has a profile and no account`, ['DELETE FROM identity.accounts']],
  [
    `V5 billing's outbox row 1 is unpublished since 2026-03-01T00:00:00.000Z`,
    ['UPDATE billing.outbox SET published_at = NULL'],
  ],
  [`V5 billing.PaymentSucceeded.v1 ${PAID} of billing never reached credits`, ['DELETE FROM credits.inbox']],
  [
    `V5 billing.PaymentFailed.v1 ${BEA} is marked as published and is not in its topic`,
    [
      `INSERT INTO billing.outbox (id, event_id, topic, message_key, payload, created_at, published_at)
     VALUES (2, '${BEA}', 'billing.events', '${ADA}',
         '${eventOf(BEA, 'billing.PaymentFailed.v1')}', '2026-03-01', '2026-03-01')`,
      ...['profile', 'credits', 'worker'].map(
        (consumer) => `INSERT INTO ${consumer}.inbox (consumer, event_id, handled_at)
     VALUES ('${consumer}', '${BEA}', '2026-03-01')`,
      ),
    ],
  ],
  [`V6 profile has version 0 of ${ADA}'s plan, billing 1`, ['UPDATE profile.profiles SET plan_version = 0']],
  [`V6 credits has version 0 of ${ADA}'s plan, billing 1`, ['UPDATE credits.accounts SET plan_version = 0']],
  [
    `V6 pack ${PAID} of ${ADA} is unknown to billing`,
    [
      `INSERT INTO credits.credit_buckets (user_id, source_key, kind, credit_limit, version, starts_at)
     VALUES ('${ADA}', '${PAID}', 'pack', 250, 1, '2026-03-01')`,
    ],
  ],
  [
    `V6 profile has another address of ${ADA} than identity`,
    ["UPDATE profile.profiles SET email = 'old@people.test'"],
  ],
  [
    `V6 billing has another address of ${ADA} than identity`,
    ["UPDATE billing.subscribers SET email = 'old@people.test'"],
  ],
  [
    `V6 1 terms of ${ADA} differ from the profile`,
    ["UPDATE profile.directory_terms SET country = 'Elsewhere'"],
  ],
];

it('accepts the months of a grant, to its end', async () => {
  await run([
    ...GRANT_OF_TWO_MONTHS,
    `INSERT INTO credits.credit_buckets (user_id, source_key, plan, credit_limit, usable, used, starts_at, ends_at)
     VALUES ('${ADA}', 'grant:9:1', 'premium', 500, 500, 0, '2026-02-28 10:00:00', '2026-03-20 10:00:00')`,
  ]);
  // A test seals no entries of the audit log (V12).
  expect((await verifyNow()).filter((breach) => /^V[123] /.test(breach))).toEqual([]);
});

it.each(BREACHES)('reports: %s', async (breach, statements) => {
  await run(statements);
  expect(await verifyNow()).toContain(breach);
});

it('reports a trial that our checkout promised and that gives no plan, and no other trial', async () => {
  await run(['UPDATE billing.subscribers SET paid = NULL']);
  const [subscription] = provider['subscriptions'] ?? [];
  const start = Number(subscription?.['start_date']);
  const breach = `V1 sub_1 is trialing at the provider and ${ADA} is not premium`;
  Object.assign(subscription ?? {}, { status: 'trialing', trial_end: start + inSeconds(days(14)) });
  for (const [trial, isReported] of [
    ['14', true],
    ['7', false],
    ['', false],
  ] as const) {
    Object.assign(subscription ?? {}, { metadata: { trial } });
    expect((await verifyNow()).includes(breach)).toBe(isReported);
  }
});

const messageOf = <Data>(type: EventType<Data>, subject: string, data: Data): Message => ({
  key: subject,
  value: JSON.stringify(createEvent(type, subject, data)),
});
const WINDOW = { plan: 'free', limit: 20, used: 1, windowStart: TIME, windowEnd: TIME } as const;
const BUCKET = { kind: 'grant', credits: 5, usable: 5, used: 0, endsAt: null } as const;
const chargeOf = (operationId: string): CreditsSpent['charge'] => ({
  ...{ operationId, amount: 1, requestedAmount: 1, reason: 'email_found', reference: null, clientId: null },
  ...{ bucketId: 'in_1', parts: [], reservation: null },
});
const planState = (version: number) => ({ version, paid: null, granted: null });

/** Each state that a topic has and a database has lost, with one that it has. */
const LOST: [breach: string, type: { topic: string }, messages: Message[]][] = [
  [
    `V4 ${BEA} has registered and has no account`,
    userRegistered,
    [ADA, BEA, GONE]
      .map((id) => messageOf(userRegistered, id, REGISTERED))
      .concat(messageOf(userDeleted, GONE, { by: 'user', generation: 1 }))
      .concat(messageOf(userRegistered, GONE, REGISTERED)), // published again
  ],
  [
    `V4 charge lost of ${ADA} is not stored`,
    creditsSpent,
    [
      messageOf(creditsSpent, ADA, { ...WINDOW, charge: chargeOf('operation-1') }),
      messageOf(creditsSpent, ADA, { ...WINDOW, charge: chargeOf('lost') }),
      messageOf(creditsSpent, GONE, { ...WINDOW, charge: chargeOf('of a deleted user') }),
    ],
  ],
  [
    `V4 grant ${WELCOME} of ${ADA} is not stored`,
    creditsGranted,
    [messageOf(creditsGranted, ADA, { ...BUCKET, bucketId: WELCOME })],
  ],
  [
    `V6 billing has version 1 of ${ADA}'s plan, its topic 2`,
    subscriptionChanged,
    [1, 2].map((version) =>
      messageOf(subscriptionChanged, ADA, { reason: 'x', problem: null, planState: planState(version) }),
    ),
  ],
];

it.each(LOST)('reports what a topic has: %s', async (breach, { topic }, messages) => {
  const topics = { 'billing.events': [PAID_MESSAGE] };
  const published = { ...topics, [topic]: [...(topic in topics ? [PAID_MESSAGE] : []), ...messages] };
  expect(await verifyNow(published)).toEqual([breach]);
});

it('V5 one lost event among thousands is found, and dead letters do not count', async () => {
  const idOf = (row: number): string => `01900000-0000-7000-9000-${String(row).padStart(12, '0')}`;
  const type = 'billing.PaymentSucceeded.v1';
  const rows = Array.from({ length: 4_500 }, (_, index) => index + 2);
  const outbox = rows.map((row) => {
    const event = [
      row,
      idOf(row),
      'billing.events',
      ADA,
      eventOf(idOf(row), type),
      '2026-03-02',
      '2026-03-02',
    ];
    return `(${event.map((value) => `'${value}'`).join(', ')})`;
  });
  await run([
    `INSERT INTO billing.outbox (id, event_id, topic, message_key, payload, created_at, published_at)
     VALUES ${outbox.join(', ')}`,
  ]);
  const topic = [PAID, ...rows.map(idOf)].map((id) => ({ key: ADA, value: eventOf(id, type) }));
  for (const consumer of ['profile', 'credits', 'worker'])
    await run([
      `INSERT INTO ${consumer}.inbox (consumer, event_id, handled_at)
     SELECT '${consumer}', event_id, '2026-03-02' FROM billing.outbox
       WHERE id > ${consumer === 'worker' ? 4400 : 1} AND id <> 4450`,
    ]);
  expect(await verifyNow({ 'billing.events': topic, 'worker.dead': topic.slice(0, 4_400) })).toEqual(
    ['profile', 'credits', 'worker'].map(
      (name) => `V5 ${type} ${idOf(4_450)} of billing never reached ${name}`,
    ),
  );
});

it('V7 a session without an account is a breach until another generation has ended it', async () => {
  sessions.set('session:{b}:2', BEA);
  expect(await verifyNow()).toEqual([`V7 a session of ${BEA}, who has no account, is valid`]);
  sessions.set('generation:{b}', '1');
  expect(await verifyNow()).toEqual([]);
});

it('V8 a mail that was sent twice, or never, is a breach', async () => {
  mails = [WELCOME, WELCOME];
  expect(await verifyNow()).toEqual([`V8 mail ${WELCOME} was sent 2 times`]);
  await run(['UPDATE worker.mails SET uncertain = TRUE']);
  expect(await verifyNow()).toEqual([]);
  mails = [];
  expect(await verifyNow()).toEqual([`V8 mail ${WELCOME} is marked as sent and was not`]);
});
