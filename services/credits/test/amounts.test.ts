import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import * as events from '@shortlist/contracts/events/credits';
import { CHARGE_MAX } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { isLongRun, randomFrom, seed } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenBuckets, type Credits, newUser, openCredits, period } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const email = (amount: number) => ({ reason: 'email_found', amount }) as const;
const premium = async (userId: string): Promise<void> => {
  const paid = period(`in_${userId}`, credits.clock());
  await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
};
/** What a user has of each table that a charge writes to. */
const countRows = async (userId: string): Promise<Record<string, number>> => {
  const count = async (table: string): Promise<number> => {
    const column = table === 'outbox' ? 'message_key' : 'user_id';
    const rows: unknown[] = await credits.db.query(`SELECT 1 FROM ${table} WHERE ${column} = ?`, [userId]);
    return rows.length;
  };
  const tables = ['ledger', 'contacts', 'reservations', 'outbox'];
  return Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await count(table)] as const)),
  );
};

describe('a charge of several credits', () => {
  it('takes exactly what is left, or with one credit more nothing at all', async () => {
    const userId = newUser();
    expect(await credits.charge(userId, uuidv7(), email(13))).toEqual({
      used: 13,
      available: 7,
      limit: 20,
      charged: 13,
    });
    const before = await countRows(userId);
    const refused = { ...email(8), reference: 'ada@engines.test' };
    expect(await credits.tryCharge(userId, 'operation-1', refused)).toBe('credits.balance_too_low');
    await expect(credits.reserve(userId, uuidv7(), refused)).rejects.toMatchObject({
      code: 'credits.balance_too_low',
    });
    expect(await countRows(userId)).toEqual(before);
    expect(await credits.charge(userId, 'operation-1', email(7))).toEqual({
      used: 20,
      available: 0,
      limit: 20,
      charged: 7,
    });
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('may be larger than the limit of a window, which has nothing of it', async () => {
    const userId = newUser();
    expect(await credits.tryCharge(userId, uuidv7(), email(CHARGE_MAX))).toBe('credits.balance_too_low');
    expect(await credits.windows(userId)).toMatchObject([{ used: 0 }]);
    await premium(userId);
    expect(await credits.charge(userId, uuidv7(), email(CHARGE_MAX))).toMatchObject({ used: CHARGE_MAX });
  });

  it('emits CreditsSpent once, and CreditsExhausted when it takes the last credit', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), email(19));
    await credits.tryCharge(userId, uuidv7(), email(2));
    expect(await credits.emitted(events.creditsExhausted, userId)).toEqual([]);
    await credits.charge(userId, uuidv7(), email(1));
    expect(await credits.emitted(events.creditsSpent, userId)).toMatchObject([
      { data: { used: 19 } },
      { data: { used: 20 } },
    ]);
    expect(await credits.emitted(events.creditsExhausted, userId)).toHaveLength(1);
  });

  it('G1: forty concurrent charges of three credits take eighteen of twenty, reserved or not', async () => {
    const userId = newUser();
    const reserve = () =>
      credits.reserve(userId, uuidv7(), email(3)).catch(({ code }: { code: string }) => code);
    const results = await Promise.all(
      times(40).map((index) => (index % 2 === 0 ? credits.tryCharge(userId, uuidv7(), email(3)) : reserve())),
    );
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(6);
    expect(results.filter((result) => result === 'credits.balance_too_low')).toHaveLength(34);
    expect(await credits.view(userId)).toMatchObject({ used: 18, available: 2, exhausted: false });
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it(`G1: of concurrent charges of random amounts those are refused for which too little is left, seed ${seed}`, async () => {
    const random = randomFrom(seed);
    for (const _ of times(isLongRun ? 10 : 2)) {
      const userId = newUser();
      await premium(userId);
      let accepted = 0;
      const refused: number[] = [];
      // Without HTTP, which takes more time than the charges.
      const charge = async (): Promise<void> => {
        const amount = 1 + Math.floor(random() * 9);
        const request = { userId, ...email(amount), operationId: uuidv7(), clientId: null };
        await credits.charges.charge(request).then(
          ({ charged }) => (accepted += charged),
          () => refused.push(amount),
        );
      };
      const client = async (): Promise<void> => {
        for (const _charge of times(15)) await charge();
      };
      await Promise.all(times(10).map(client));
      const { used, available } = await credits.view(userId);
      expect(used).toBe(accepted);
      // Nothing was returned, so what was refused earlier does not fit later either.
      expect(Math.min(...refused)).toBeGreaterThan(available);
    }
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G2: thirty concurrent requests for one operation take its amount once and get one response', async () => {
    const userId = newUser();
    const responses = await Promise.all(times(30).map(() => credits.charge(userId, 'operation-1', email(4))));
    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(
      new Set([JSON.stringify({ used: 4, available: 16, limit: 20, charged: 4 })]),
    );
    expect(await credits.windows(userId)).toMatchObject([{ used: 4 }]);
  });

  it.each(['that took credits', 'of a contact that had been charged before'])(
    'G2: the key of a charge %s is refused for any other request, and accepted for the same',
    async (which) => {
      const userId = newUser();
      const contact = { ...email(2), reference: 'ada@engines.test' } as const;
      if (which.includes('contact')) await credits.charge(userId, uuidv7(), contact);
      const first = await credits.charge(userId, 'operation-1', contact);
      const others = [
        { ...contact, amount: 1 },
        { ...contact, amount: 3 },
        { reason: 'email_found', reference: contact.reference },
        { ...contact, amount: CHARGE_MAX },
        { ...contact, reason: 'message_composed' },
        { ...contact, reference: 'grace@engines.test' },
        email(2),
      ] as const;
      for (const other of others) {
        expect(await credits.tryCharge(userId, 'operation-1', other)).toBe('credits.key_reused');
        await expect(credits.reserve(userId, 'operation-1', other)).rejects.toMatchObject({
          code: 'credits.key_reused',
        });
      }
      await expect(credits.reserve(userId, 'operation-1', contact)).rejects.toMatchObject({
        code: 'credits.key_reused',
      });
      expect(await credits.charge(userId, 'operation-1', { ...contact, clientId: uuidv7() })).toEqual(first);
      expect(await credits.view(userId)).toMatchObject({ used: 2 });
    },
  );

  it('G2: one credit is the same whether it is named or not', async () => {
    const userId = newUser();
    const first = await credits.charge(userId, 'operation-1');
    expect(await credits.charge(userId, 'operation-1', email(1))).toEqual(first);
  });

  it('G3: takes nothing for a contact for which as many were charged before', async () => {
    const userId = newUser();
    const contact = { reason: 'email_found', reference: 'ada@engines.test' } as const;
    await credits.charge(userId, uuidv7(), { ...contact, amount: 5 });
    for (const amount of [1, 4, 5])
      expect(await credits.charge(userId, uuidv7(), { ...contact, amount })).toEqual({
        used: 5,
        available: 15,
        limit: 20,
        charged: 0,
      });
    expect(await credits.reserve(userId, uuidv7(), { ...contact, amount: 5 })).toMatchObject({
      amount: 0,
      used: 5,
    });
  });
});

it('the data of a user have the tool of each charge, and the amount that it was for', async () => {
  const userId = newUser();
  const [clientId, contact] = [uuidv7(), { ...email(3), reference: 'ada@engines.test' }];
  await credits.charge(userId, uuidv7(), contact);
  await credits.charge(userId, uuidv7(), { ...contact, amount: 4, clientId });
  const { id } = await credits.reserve(userId, uuidv7(), { amount: 5, clientId });
  await credits.commit(userId, id, { amount: 4 });
  const section = { userId, section: 'ledger' };
  const { data } = await credits.ask(dataExportEndpoints.credits, section, asService());
  expect(data.map((row) => [row['amount'], row['requestedAmount'], row['clientId'], row['reason']])).toEqual([
    [-3, 3, null, 'email_found'],
    [-1, 4, clientId, 'email_found'],
    [-5, 5, clientId, 'email_found'],
    [1, 1, clientId, 'unused'],
  ]);
});

describe('the last attempts of a charge of several credits', () => {
  it('release the expired reservations that hold what it needs', async () => {
    const userId = newUser();
    for (const _ of times(2)) await credits.reserve(userId, uuidv7(), { ...email(9), holdSeconds: 60 });
    expect(await credits.tryCharge(userId, uuidv7(), email(3))).toBe('credits.balance_too_low');
    await credits.ageReservations(userId, 60);
    expect(await credits.charge(userId, uuidv7(), email(20))).toMatchObject({ used: 20 });
  });

  it('read the plan from billing, also when the expired reservations held less than it needs', async () => {
    const userId = newUser();
    await credits.charge(userId, uuidv7(), email(15));
    await credits.reserve(userId, uuidv7(), { ...email(5), holdSeconds: 60 });
    await credits.ageReservations(userId, 60);
    const paid = period(`in_${userId}`, credits.clock());
    credits.plans.set(userId, { version: 1, paid, granted: null });
    expect(await credits.charge(userId, uuidv7(), email(6))).toEqual({
      used: 6,
      available: 494,
      limit: 500,
      charged: 6,
    });
    expect(await credits.windows(userId)).toMatchObject([{ used: 15 }, { used: 6 }]);
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });
});

describe('an amount', () => {
  const send = async (
    userId: string,
    path: string,
    body: string,
  ): Promise<{ status: number; text: string }> => {
    const token = await credits.sign('credits', { role: 'user', userId });
    const response = await fetch(`${credits.url}/credits/${userId}/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': uuidv7(),
        authorization: `Bearer ${token}`,
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const bodyOf = (amount: string): string => `{"reason":"email_found","amount":${amount}}`;

  it.each(
    '0, -1, 101, 1.5, "1", "", " 2", "1e1", null, true, [1], [], {}, 1e2000, -0, 9007199254740993, 0.9999'.split(
      ', ',
    ),
  )('of %s is refused by name, and nothing is charged', async (amount) => {
    const userId = newUser();
    const { id } = await credits.reserve(userId, uuidv7(), email(2));
    const before = await countRows(userId);
    for (const path of ['spend', 'reservations', `reservations/${id}/commit`]) {
      const body = path.endsWith('commit') ? `{"amount":${amount}}` : bodyOf(amount);
      const { status, text } = await send(userId, path, body);
      expect({ path, status }).toEqual({ path, status: 400 });
      expect(JSON.parse(text)).toMatchObject({
        error: {
          code: 'request.invalid',
          fields: { amount: 'Please enter a whole number from 1 to 100' },
        },
      });
    }
    expect(await countRows(userId)).toEqual(before);
    expect(await credits.view(userId)).toMatchObject({ used: 2 });
  });

  it('is not read from the address, where it would be text', async () => {
    const userId = newUser();
    for (const [path, body] of [
      ['spend?amount=2', '{"reason":"email_found"}'],
      ['spend?amount=2', bodyOf('2')],
    ] as const)
      expect(await send(userId, path, body)).toMatchObject({
        status: 400,
        text: expect.stringContaining('amount'),
      });
    expect(await credits.windows(userId)).toEqual([]);
  });

  it.each(['1', '20', '2e0', '2.0'])('of %s is accepted', async (amount) => {
    const { status, text } = await send(newUser(), 'spend', bodyOf(amount));
    expect({ status, ...(JSON.parse(text) as object) }).toMatchObject({
      status: 200,
      charged: Number(amount),
    });
  });
});
