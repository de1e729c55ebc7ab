import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { type CloudEvent, defineEvent } from '@shortlist/contracts/events/define';
import { userRegistered } from '@shortlist/contracts/events/identity';
import type Joi from 'joi';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../src/data/db.ts';
import { emit, onEventsCommitted } from '../src/messaging/outbox.ts';
import { inTrace, traceFrom } from '../src/process/trace.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { clock, ID, noted, noteOf } from './notes-table.ts';

const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox] });
afterAll(drop);
beforeEach(() => db.query('DELETE FROM outbox'));

const rows = (): Promise<{ payload: string; topic: string; message_key: string }[]> =>
  db.query('SELECT topic, message_key, payload FROM outbox ORDER BY id');

describe('an event emitted in a transaction', () => {
  it('H1 is stored when the transaction commits, as the CloudEvent that will be published', async () => {
    const event = await inTransaction(db, (tx) => emit(tx, noted, noteOf('a')));
    const [row] = await rows();
    expect(row).toMatchObject({ topic: 'identity.events', message_key: ID });
    expect(JSON.parse(row?.payload ?? '')).toEqual(event);
    expect(event).toMatchObject({ specversion: '1.0', type: noted.type, subject: ID, data: { text: 'a' } });
  });

  it('H1 is not stored when the transaction rolls back', async () => {
    const change = inTransaction(db, async (tx) => {
      await emit(tx, noted, noteOf('a'));
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    expect(await rows()).toEqual([]);
  });

  it('H1 X1 and its change are both missing when the process dies between the two', async () => {
    const change = inTransaction(db, async (tx) => {
      await tx.query("INSERT INTO inbox (consumer, event_id, handled_at) VALUES ('change', ?, NOW(3))", [ID]);
      await tx.query('KILL CONNECTION_ID()').catch(() => undefined);
      await emit(tx, noted, noteOf('a'));
    });
    await expect(change).rejects.toThrow();
    expect(await rows()).toEqual([]);
    expect(await db.query('SELECT * FROM inbox')).toEqual([]);
  });

  it('H1 wakes the relay after the commit, never after a rollback', async () => {
    let woken = 0;
    const stop = onEventsCommitted(db, () => (woken += 1));
    await inTransaction(db, async (tx) => {
      await emit(tx, noted, noteOf('a'));
      expect(woken).toBe(0);
    });
    expect(woken).toBe(1);
    await inTransaction(db, async (tx) => {
      await emit(tx, noted, noteOf('b'));
      throw new Error('no');
    }).catch(() => undefined);
    expect(woken).toBe(1);
    stop();
  });

  it('H1 that does not match its schema fails the transaction', async () => {
    const wrong = { ...noteOf('a'), data: { text: 5 as unknown as string } };
    await expect(inTransaction(db, (tx) => emit(tx, noted, wrong))).rejects.toThrow(TypeError);
    expect(await rows()).toEqual([]);
  });

  it('K5 carries the trace of the request that caused it', async () => {
    const trace = traceFrom(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
    const event: CloudEvent<unknown> = await inTrace(trace, () =>
      inTransaction(db, (tx) => emit(tx, noted, noteOf('a'))),
    );
    expect(event.traceparent).toContain('a'.repeat(32));
  });
});

const names = (schema: Joi.Description): string[] => {
  const keys = (schema.keys ?? {}) as Record<string, Joi.Description>;
  return Object.entries(keys).flatMap(([name, inner]) => [name, ...names(inner)]);
};

describe('the data of events', () => {
  it.each(eventCatalogue.map(({ event }) => [event.type, event] as const))(
    'H11 %s has no field for a password, a token or a card',
    (_, event) => {
      const suspicious = names(event.schema.describe()).filter((name) =>
        /password|token|secret|hash|card/i.test(name),
      );
      expect(suspicious).toEqual([]);
    },
  );

  it('H11 a password passed by mistake is refused, not published', async () => {
    const data = { email: 'a@b.co', password: 'let me in' } as never;
    await expect(
      inTransaction(db, (tx) => emit(tx, userRegistered, { subject: ID, data, clock })),
    ).rejects.toThrow(TypeError);
    expect(await rows()).toEqual([]);
  });

  it('names and topics follow the emitter', () => {
    const event = defineEvent('billing.SomethingHappened.v1', { summary: '', data: {} });
    expect(event).toMatchObject({ topic: 'billing.events', emitter: 'billing' });
  });
});
