import { deliveryEndpoints } from '@shortlist/contracts/api/webhooks';
import { paymentSucceeded, subscriptionChanged } from '@shortlist/contracts/events/billing';
import { creditsExhausted, creditsLow, type CreditWarningData } from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { days, minutes, seconds } from '@shortlist/contracts/durations';
import { WEBHOOK_LOG_PAGE } from '@shortlist/contracts/limits';
import { countRowsRead } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDeliveries } from '../src/webhooks/queries.ts';
import { createDeliver, PAUSES_MS } from '../src/webhooks/send-webhooks.ts';
import { type OpenedWebhooks, openWebhooks } from './open-webhooks.ts';
import { PAID, PAYMENT, START } from './support.ts';

const LOW: CreditWarningData = {
  plan: 'premium',
  limit: 500,
  used: 400,
  available: 100,
  windowStart: '2026-03-01T12:00:00.000Z',
  windowEnd: '2026-04-01T12:00:00.000Z',
  mail: false,
};

let opened: OpenedWebhooks;
beforeAll(async () => {
  opened = await openWebhooks();
});
afterAll(() => opened.close());

/** A user with one endpoint for low credits, and a message to it. */
const tell = async (path: string) => {
  const user = opened.addUser([path]);
  const [endpoint] = user.endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  await opened.publish(creditsLow, user.userId, LOW);
  await opened.work();
  const readLog = () => opened.log(user, endpoint.id);
  return { ...user, endpoint, readLog };
};
const payloadsAt = (path: string): unknown[] =>
  opened.server.receivedAt(path).map(({ body }) => JSON.parse(body) as unknown);

describe('a message to a user’s own system', () => {
  it('reports the event to each endpoint that wants it', async () => {
    const { userId } = opened.addUser(['/one', '/two']);
    await opened.publish(creditsLow, userId, LOW);
    await opened.publish(creditsExhausted, userId, { ...LOW, used: 500 });
    await opened.work();
    const { mail: _mail, ...window } = LOW;
    const payload = {
      type: 'credits.low',
      timestamp: opened.clock().toISOString(),
      data: { userId, ...window },
    };
    expect(payloadsAt('/one')).toEqual([payload]);
    expect(payloadsAt('/two')).toEqual([payload]);
  });

  it('is not stored for a user without an endpoint that wants it', async () => {
    const { userId } = opened.addUser([]);
    await opened.publish(creditsLow, userId, LOW);
    await opened.work();
    expect(await opened.db.query('SELECT 1 FROM webhook_messages WHERE user_id = ?', [userId])).toEqual([]);
  });

  it('is sent once when its event arrives twice, and once for events with the same state of the plan', async () => {
    const { userId } = opened.addUser(['/once']);
    const event = await opened.publish(paymentSucceeded, userId, PAYMENT);
    await opened.bus.publish('billing.events', [{ key: userId, value: JSON.stringify(event) }]);
    const { planState } = PAYMENT;
    await opened.publish(subscriptionChanged, userId, { planState, problem: null, reason: 'renewed' });
    await opened.work();
    const data = { userId, plan: 'premium', endsAt: PAID.end, version: 1 };
    expect(payloadsAt('/once')).toMatchObject([{ type: 'plan.changed', data }]);
  });

  it('is sent once by two concurrent processes', async () => {
    const { userId, endpoints } = opened.addUser(['/race']);
    await opened.publish(creditsLow, userId, LOW);
    const [spread] = opened.jobs.splice(0);
    const { messageId } = spread as { messageId: string };
    await Promise.all([opened.spread(messageId), opened.spread(messageId)]);
    opened.jobs.length = 0;
    const sharedClock = () => Promise.resolve(new Date(opened.clock().getTime() + 1));
    const processes = [opened.deliver, createDeliver({ ...opened.parts, sharedClock })];
    const endpoint = { userId, endpointId: String(endpoints[0]?.id) };
    await Promise.all(processes.map((deliver) => deliver(endpoint)));
    expect(opened.server.receivedAt('/race')).toHaveLength(1);
  });

  it('is sent by the sweep if its job was lost', async () => {
    const { userId } = opened.addUser(['/lost']);
    await opened.publish(creditsLow, userId, LOW);
    opened.jobs.length = 0;
    await opened.sweep();
    expect(opened.jobs).toEqual([]);
    opened.pass(seconds(5));
    await opened.sweep();
    await opened.work();
    expect(opened.server.receivedAt('/lost')).toHaveLength(1);
  });

  it('waits while identity, which has the secrets, is unavailable', async () => {
    const { userId } = opened.addUser(['/later']);
    opened.setIdentityDown(true);
    await opened.publish(creditsLow, userId, LOW);
    await expect(opened.work()).rejects.toMatchObject({ code: 'service.unavailable' });
    opened.setIdentityDown(false);
    opened.pass(seconds(5));
    await opened.sweep();
    await opened.work();
    expect(opened.server.receivedAt('/later')).toHaveLength(1);
  });
});

describe('a delivery that fails', () => {
  it('I7 is tried again after growing pauses for three days, then given up', async () => {
    opened.server.respond('/down', () => 500);
    const { endpoint, readLog } = await tell('/down');
    for (const pause of PAUSES_MS) {
      opened.pass(pause * 0.9);
      await opened.sweep();
      expect(opened.jobs).toEqual([]);
      opened.pass(pause * 0.2);
      await opened.sweep();
      await opened.work();
    }
    opened.pass(days(30));
    await opened.sweep();
    await opened.work();
    expect(opened.server.receivedAt('/down')).toHaveLength(PAUSES_MS.length + 1);
    const [delivery] = await readLog();
    expect(delivery).toMatchObject({ event: 'credits.low', state: 'failed', nextTryAt: null });
    expect(delivery?.tries.map(({ status }) => status)).toEqual(Array(10).fill(500));
    expect(opened.outcomesOf(endpoint.id)).toEqual(Array(10).fill('failed'));
    const total = PAUSES_MS.reduce((sum, pause) => sum + pause, 0);
    expect(total / days(1)).toBeCloseTo(3, 1);
  });

  it('arrives once its system works again, with the same id and the same body', async () => {
    let status = 503;
    opened.server.respond('/back', () => status);
    const { endpoint, readLog } = await tell('/back');
    status = 200;
    opened.pass(seconds(6));
    await opened.sweep();
    await opened.work();
    const [first, second, ...others] = opened.server.receivedAt('/back');
    expect(others).toEqual([]);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(await readLog()).toMatchObject([
      { state: 'delivered', tries: [{ status: 503 }, { status: 200 }] },
    ]);
    expect(opened.outcomesOf(endpoint.id)).toEqual(['failed', 'delivered']);
  });

  it('follows no redirect', async () => {
    opened.server.respond('/moved', () => 302);
    const { readLog } = await tell('/moved');
    expect(await readLog()).toMatchObject([{ state: 'pending', tries: [{ status: 302, error: null }] }]);
    expect(opened.server.receivedAt('/elsewhere')).toEqual([]);
  });

  it('ends at once if the system responds that it is gone', async () => {
    opened.server.respond('/gone', () => 410);
    const { endpoint, readLog } = await tell('/gone');
    expect(await readLog()).toMatchObject([{ state: 'failed', nextTryAt: null }]);
    expect(opened.outcomesOf(endpoint.id)).toEqual(['gone']);
  });

  it('is taken over a minute after its sender died', async () => {
    const { userId, endpoint } = await tell('/taken-over');
    const takenUntil = new Date(opened.clock().getTime() + minutes(1));
    await opened.db.query(
      "UPDATE webhook_deliveries SET state = 'pending', next_try_at = ?, taken_until = ? WHERE user_id = ?",
      [opened.clock(), takenUntil, userId],
    );
    await opened.deliver({ userId, endpointId: endpoint.id });
    expect(opened.server.receivedAt('/taken-over')).toHaveLength(1);
    opened.pass(minutes(1));
    await opened.deliver({ userId, endpointId: endpoint.id });
    expect(opened.server.receivedAt('/taken-over')).toHaveLength(2);
  });

  it('I7 of a slow system delays neither another system nor another user', async () => {
    opened.server.respond('/slow', () => null);
    const slow = opened.addUser(['/slow', '/quick']);
    for (let count = 0; count < 5; count += 1) await opened.publish(creditsLow, slow.userId, LOW);
    const other = opened.addUser(['/other']);
    await opened.publish(creditsLow, other.userId, LOW);
    const running = await opened.startAll();
    await expect.poll(() => opened.server.receivedAt('/quick').length).toBe(5);
    await expect.poll(() => opened.server.receivedAt('/other').length).toBe(1);
    // The slow one has only one request in progress, however much is due.
    expect(opened.server.receivedAt('/slow')).toHaveLength(1);
    await Promise.all(running);
    const [slowEndpoint] = slow.endpoints;
    const deliveries = await opened.log(slow, String(slowEndpoint?.id));
    expect(deliveries.map(({ state }) => state)).toEqual(Array(5).fill('pending'));
  });

  it('is canceled if its endpoint is off or deleted by then', async () => {
    const { userId, endpoints, ...user } = opened.addUser(['/off']);
    await opened.publish(creditsLow, userId, LOW);
    const [spread] = opened.jobs.splice(0);
    await opened.spread((spread as { messageId: string }).messageId);
    opened.setTargets(userId, []);
    await opened.work();
    expect(opened.server.receivedAt('/off')).toEqual([]);
    expect(await opened.log({ userId, ...user }, endpoints[0]?.id ?? '')).toMatchObject([
      { state: 'canceled', tries: [] },
    ]);
  });
});

describe('a user', () => {
  it('sends a test event, whichever events the endpoint wants', async () => {
    const { userId, caller, endpoints } = opened.addUser(['/test'], ['credits.exhausted']);
    const endpointId = endpoints[0]?.id ?? '';
    await opened.ask(deliveryEndpoints.sendTestEvent, { userId, endpointId }, { caller });
    await opened.work();
    expect(payloadsAt('/test')).toMatchObject([{ type: 'webhook.test', data: { userId } }]);
    const foreign = { userId, endpointId: uuidv7() };
    await expect(opened.ask(deliveryEndpoints.sendTestEvent, foreign, { caller })).rejects.toMatchObject({
      code: 'identity.webhook_not_found',
    });
  });

  it('sends a message again with the same id, even one that arrived', async () => {
    const { userId, caller, endpoint, readLog } = await tell('/again');
    const [{ id: deliveryId = '' } = {}] = await readLog();
    const again = { userId, endpointId: endpoint.id, deliveryId };
    await opened.ask(deliveryEndpoints.redeliver, again, { caller });
    await opened.work();
    const [first, second] = opened.server.receivedAt('/again');
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await readLog()).toMatchObject([
      { state: 'delivered', tries: [{ status: 204 }, { status: 204 }] },
    ]);
  });

  it('sends at once a message that waits for its next try, but not while a try is in progress', async () => {
    let status = 500;
    opened.server.respond('/impatient', () => status);
    const { userId, caller, endpoint, readLog } = await tell('/impatient');
    const [{ id: deliveryId = '' } = {}] = await readLog();
    const again = { userId, endpointId: endpoint.id, deliveryId };
    const takenUntil = new Date(opened.clock().getTime() + minutes(1));
    const take = 'UPDATE webhook_deliveries SET taken_until = ? WHERE id = ?';
    await opened.db.query(take, [takenUntil, deliveryId]);
    await expect(opened.ask(deliveryEndpoints.redeliver, again, { caller })).rejects.toMatchObject({
      status: 409,
      code: 'worker.delivery_pending',
    });
    await opened.db.query(take, [null, deliveryId]);
    status = 200;
    await opened.ask(deliveryEndpoints.redeliver, again, { caller });
    await opened.work();
    expect(await readLog()).toMatchObject([
      { state: 'delivered', tries: [{ status: 500 }, { status: 200 }] },
    ]);
  });

  it('does not use up the scheduled tries, however often the message is sent manually', async () => {
    let status = 500;
    opened.server.respond('/eager', () => status);
    const { userId, caller, endpoint, readLog } = await tell('/eager');
    const [{ id: deliveryId = '' } = {}] = await readLog();
    const again = { userId, endpointId: endpoint.id, deliveryId };
    for (let time = 0; time < PAUSES_MS.length; time += 1) {
      opened.pass(seconds(1));
      await opened.ask(deliveryEndpoints.redeliver, again, { caller });
      await opened.work();
    }
    expect(await readLog()).toMatchObject([{ state: 'pending' }]);
    status = 200;
    opened.pass(minutes(6));
    await opened.sweep();
    await opened.work();
    expect(await readLog()).toMatchObject([{ state: 'delivered' }]);
  });

  it('D1 can neither see nor send another user’s messages', async () => {
    const { endpoint, readLog } = await tell('/mine');
    const [{ id: deliveryId = '' } = {}] = await readLog();
    const other = opened.addUser(['/theirs']);
    expect(await opened.log(other, endpoint.id)).toEqual([]);
    const theirs = { userId: other.userId, endpointId: other.endpoints[0]?.id ?? '', deliveryId };
    await expect(
      opened.ask(deliveryEndpoints.redeliver, theirs, { caller: other.caller }),
    ).rejects.toMatchObject({ code: 'worker.delivery_not_found' });
  });

  it('who is deleted while a delivery waits gets nothing more, and no data about them stay', async () => {
    opened.server.respond('/leaving', () => 500);
    const { userId } = await tell('/leaving');
    await opened.publish(userDeleted, userId, { by: userId, generation: 1 });
    opened.pass(minutes(10));
    await opened.sweep();
    await opened.work();
    expect(opened.server.receivedAt('/leaving')).toHaveLength(1);
    for (const table of ['webhook_messages', 'webhook_deliveries'])
      expect(await opened.db.query(`SELECT 1 FROM ${table} WHERE user_id = ?`, [userId])).toEqual([]);
  });

  it('who is deleted gets no message of an event that is read after the deletion', async () => {
    const { userId } = opened.addUser(['/gone']);
    await opened.publish(userDeleted, userId, { by: userId, generation: 1 });
    await opened.publish(creditsLow, userId, LOW);
    expect(await opened.db.query('SELECT 1 FROM webhook_messages WHERE user_id = ?', [userId])).toEqual([]);
  });
});

it('a page of an endpoint with many deliveries is the newest, or those before one, and reads no others', async () => {
  const { db } = opened;
  const { userId, endpoint } = await tell('/many');
  const ids = Array.from({ length: 4_000 }, () => uuidv7()).toSorted();
  const messages = ids.map((id) => [id, userId, 'credits.low', id, '{}', START]);
  await db.query('INSERT INTO webhook_messages (id, user_id, event, cause, payload, created_at) VALUES ?', [
    messages,
  ]);
  const rows = ids.map((id) => [id, id, endpoint.id, userId, 'delivered', '[]', START]);
  const columns = 'id, message_id, endpoint_id, user_id, state, tries, created_at';
  await db.query(`INSERT INTO webhook_deliveries (${columns}) VALUES ?`, [rows]);
  await db.query('ANALYZE TABLE webhook_deliveries');
  const of = { userId, endpointId: endpoint.id };
  const read = (before?: string) =>
    countRowsRead(db, (tx) => listDeliveries(tx, before === undefined ? of : { ...of, before }));
  for (const [before, end] of [
    [undefined, 4_000],
    [ids[2_500], 2_500],
  ] as const) {
    const { result, rowsRead } = await read(before);
    expect(result.map(({ id }) => id)).toEqual(ids.slice(end - WEBHOOK_LOG_PAGE, end).toReversed());
    expect(rowsRead).toBeLessThan(200);
  }
});
