// What `verify` has in memory at once does not grow with the number of accounts, or with what topics keep about them.
import { schema as billing } from '@shortlist/billing/db';
import { subscriptionChanged } from '@shortlist/contracts/events/billing';
import { creditsGranted } from '@shortlist/contracts/events/credits';
import type { EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { schema as credits } from '@shortlist/credits/db';
import { schema as identity } from '@shortlist/identity/db';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import type { Bus, Message } from '@shortlist/kit/messaging/bus';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { createMemoryBus } from '@shortlist/kit/testing/memory-bus';
import { schema as profile } from '@shortlist/profile/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addressesAgree,
  chargesAreStored,
  plansAreNewest,
  registeredHaveAccounts,
} from '../src/verify/lost-states.ts';
import { packCopiesAreNewest } from '../src/verify/packs.ts';
import { CHUNK } from '../src/verify/pages.ts';
import { oneBucketForEachInvoice, planCopiesAreNewest, premiumIsPaidOrGranted } from '../src/verify/plans.ts';
import type { Invariant, Sources } from '../src/verify/sources.ts';
import { accountsHaveProfiles } from '../src/verify/users.ts';

const SCHEMAS = { identity, profile, billing, credits };
type Name = keyof typeof SCHEMAS;
const NAMES = Object.keys(SCHEMAS) as Name[];
const NOW = new Date('2026-03-10T00:00:00Z');
const ACCOUNTS = 2 * CHUNK + 500;
/** More than `verify` looks for at once among those who were deleted. */
const DELETED = 10_500;

const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const packOf = (number: number): string => `01900000-0000-7000-9000-${String(number).padStart(12, '0')}`;
const numbers = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index);
const coverageOf = (number: number): string =>
  JSON.stringify({
    key: `in_${number}`,
    start: '2026-03-01T00:00:00Z',
    end: '2026-04-01T00:00:00Z',
    graceUntil: null,
  });
/** An account of the second page. */
const ODD = idOf(CHUNK + 7);

/** Rows of each account, by table. */
const ROWS: Record<string, [name: Name, columns: string, row: (number: number) => unknown[]]> = {
  accounts: [
    'identity',
    'id, email, password_hash, role, created_at',
    (number) => [idOf(number), `p${number}@people.test`, 'x', 'user', NOW],
  ],
  profiles: [
    'profile',
    `user_id, email, first_name, last_name, organization_name, type_of_organization, primary_recruiting_industry,
     country, city, linkedin, created_at, plan_version, terms`,
    (number) => [idOf(number), `p${number}@people.test`, ...numbers(8).map(() => 'x'), NOW, 1, ''],
  ],
  subscribers: [
    'billing',
    'user_id, email, name, version, paid',
    (number) => [idOf(number), `p${number}@people.test`, '', 1, coverageOf(number)],
  ],
  invoices: [
    'billing',
    'invoice_id, user_id, status, amount, currency, paid_at, period_start, period_end, attempts, refunded',
    (number) => [
      ...[`in_${number}`, idOf(number), 'paid', 5_900, 'usd'],
      ...[new Date('2026-03-01'), new Date('2026-03-01'), new Date('2026-04-01'), 1, 0],
    ],
  ],
  credit_packs: [
    'billing',
    'pack_id, user_id, invoice_id, version, credits, paid_credits, amount, currency, state, paid_at',
    (number) => [packOf(number), idOf(number), `in_p${number}`, 1, 250, 250, 1_900, 'usd', 'paid', NOW],
  ],
  'credits.accounts': ['credits', 'user_id, plan_version, plan_state', (number) => [idOf(number), 1, '{}']],
  credit_buckets: [
    'credits',
    'user_id, source_key, kind, credit_limit, usable, used, version, starts_at',
    (number) => [idOf(number), packOf(number), 'pack', 250, 250, 0, 1, NOW],
  ],
  'buckets of plans.credit_buckets': [
    'credits',
    'user_id, source_key, plan, credit_limit, usable, used, starts_at, ends_at',
    (number) => [
      ...[idOf(number), `in_${number}`, 'premium', 500, 500, 0],
      ...[new Date('2026-03-01'), new Date('2026-04-01')],
    ],
  ],
};

const databases = {} as Record<Name, TestDb>;
const readers = {} as Record<Name, Reader>;
const query = (name: Name, sql: string, values?: unknown[]): Promise<unknown> =>
  databases[name].db.query(sql, values);

beforeAll(async () => {
  for (const name of NAMES) {
    databases[name] = await createTestDb({ ...SCHEMAS[name], poolSize: 1 });
    readers[name] = await openReader(databases[name].url);
  }
  for (const [key, [name, columns, row]] of Object.entries(ROWS)) {
    const table = key.split('.').at(-1);
    await query(name, `INSERT INTO ${table} (${columns}) VALUES ?`, [numbers(ACCOUNTS).map(row)]);
  }
});
afterAll(async () => {
  for (const name of NAMES) {
    await readers[name].close();
    await databases[name].drop();
  }
});

/** The most rows of one query, and the most events between two. */
let most: { rows: number; events: number };
let events: number;
beforeEach(() => {
  most = { rows: 0, events: 0 };
  events = 0;
});

const counted = (reader: Reader): Reader => ({
  ...reader,
  select: async <Row>(sql: string, values?: readonly unknown[]) => {
    events = 0;
    const rows = await reader.select<Row>(sql, values);
    most.rows = Math.max(most.rows, rows.length);
    return rows;
  },
});

const find = async (invariant: Invariant, topics: Record<string, Message[]> = {}): Promise<string[]> => {
  const bus = createMemoryBus();
  for (const [topic, messages] of Object.entries(topics)) await bus.publish(topic, messages);
  const readAll: Bus['readAll'] = (topic, onMessage) =>
    bus.readAll(topic, async (message) => {
      most.events = Math.max(most.events, (events += 1));
      await onMessage(message);
    });
  const sources = {
    ...Object.fromEntries(NAMES.map((name) => [name, counted(readers[name])])),
    bus: { ...bus, readAll },
    now: NOW,
  } as unknown as Sources; // only what these invariants read
  return (await invariant.find(sources)).map(({ detail }) => detail);
};

describe('`verify` has a chunk of rows in memory at once', () => {
  it.each<
    [about: string, invariant: Invariant, name: Name, change: string, back: string, breaches: string[]]
  >([
    [
      'accounts and profiles',
      accountsHaveProfiles,
      'profile',
      `UPDATE profiles SET user_id = 'x' WHERE user_id = '${ODD}'`,
      `UPDATE profiles SET user_id = '${ODD}' WHERE user_id = 'x'`,
      [`${ODD} has an account and no profile`, 'x has a profile and no account'],
    ],
    [
      'addresses',
      addressesAgree,
      'billing',
      `UPDATE subscribers SET email = 'old@people.test' WHERE user_id = '${ODD}'`,
      `UPDATE subscribers SET email = 'p${CHUNK + 7}@people.test' WHERE user_id = '${ODD}'`,
      [`billing has another address of ${ODD} than identity`],
    ],
    [
      'copies of plans',
      planCopiesAreNewest,
      'credits',
      `UPDATE accounts SET plan_version = 0 WHERE user_id = '${ODD}'`,
      `UPDATE accounts SET plan_version = 1 WHERE user_id = '${ODD}'`,
      [`credits has version 0 of ${ODD}'s plan, billing 1`],
    ],
    [
      'copies of packs',
      packCopiesAreNewest,
      'credits',
      `UPDATE credit_buckets SET usable = 1 WHERE kind = 'pack' AND user_id = '${ODD}'`,
      `UPDATE credit_buckets SET usable = 250 WHERE kind = 'pack' AND user_id = '${ODD}'`,
      [
        `credits has pack ${packOf(CHUNK + 7)} of ${ODD} in version 1 with 1 of 250 credits, billing version 1 with 250 of 250 credits`,
      ],
    ],
    [
      'payments of plans',
      premiumIsPaidOrGranted,
      'billing',
      `UPDATE invoices SET refunded = amount WHERE user_id = '${ODD}'`,
      `UPDATE invoices SET refunded = 0 WHERE user_id = '${ODD}'`,
      [`${ODD} is premium without a paid invoice of their own or a recorded grant`],
    ],
    [
      'buckets of plans',
      oneBucketForEachInvoice,
      'billing',
      `UPDATE invoices SET status = 'open' WHERE user_id = '${ODD}'`,
      `UPDATE invoices SET status = 'paid' WHERE user_id = '${ODD}'`,
      [
        `bucket ${ACCOUNTS + CHUNK + 7} was opened by in_${CHUNK + 7}, which is not a paid invoice of its user`,
      ],
    ],
  ])('of %s', async (_about, invariant, name, change, back, breaches) => {
    expect(await find(invariant)).toEqual([]);
    await query(name, change);
    expect(await find(invariant)).toEqual(breaches);
    await query(name, back);
    expect(most.rows).toBe(CHUNK);
  });
});

describe('`verify` has a chunk of events in memory at once', () => {
  const messageOf = <Data>(type: EventType<Data>, subject: string, data: Data): Message => ({
    key: subject,
    value: JSON.stringify(eventOf(type, subject, data)),
  });

  it('of registrations, however many were deleted', async () => {
    const data = { ...exampleProfile(), email: 'p@people.test', picture: null, createdAt: NOW.toISOString() };
    const registered = numbers(ACCOUNTS + DELETED).map((number) =>
      messageOf(userRegistered, idOf(number), data),
    );
    const deleted = numbers(DELETED - 1, ACCOUNTS + 2).map((number) =>
      messageOf(userDeleted, idOf(number), { by: 'user', generation: 1 }),
    );
    const lost = messageOf(userRegistered, idOf(10 * DELETED), data);
    // The deletions come last, so that a single reading of the topic would have to remember every registration.
    const found = await find(registeredHaveAccounts, {
      [userRegistered.topic]: [...registered.toReversed(), lost, ...deleted],
    });
    expect(found).toEqual(
      [ACCOUNTS + 1, 10 * DELETED].map((number) => `${idOf(number)} has registered and has no account`),
    );
    expect(most.rows).toBeLessThanOrEqual(CHUNK);
  });

  it('of plans', async () => {
    const published = numbers(ACCOUNTS).flatMap((number) =>
      (idOf(number) === ODD ? [2, 3, 1] : [1]).map((version) =>
        messageOf(subscriptionChanged, idOf(number), {
          ...{ reason: 'x', problem: null },
          planState: { version, paid: null, granted: null },
        }),
      ),
    );
    const found = await find(plansAreNewest, { [subscriptionChanged.topic]: published });
    expect(found).toEqual([`billing has version 1 of ${ODD}'s plan, its topic 3`]);
    expect(most.events).toBeLessThanOrEqual(CHUNK + 2);
    expect(most.rows).toBeLessThanOrEqual(CHUNK);
  });

  it('of grants, also of deleted users', async () => {
    const published = numbers(ACCOUNTS + CHUNK).map((number) =>
      messageOf(creditsGranted, idOf(number), {
        ...{ kind: 'pack', credits: 250, usable: 250, used: 0, endsAt: null },
        bucketId: idOf(number) === ODD ? idOf(1) : packOf(number),
      }),
    );
    expect(await find(chargesAreStored, { [creditsGranted.topic]: published })).toEqual([
      `grant ${idOf(1)} of ${ODD} is not stored`,
    ]);
    expect(most).toEqual({ rows: CHUNK, events: CHUNK });
  });
});
