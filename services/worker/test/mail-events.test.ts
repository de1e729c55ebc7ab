import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  SENDGRID_SIGNATURE_HEADER,
  SENDGRID_TIMESTAMP_HEADER,
  SENDGRID_WEBHOOK_BYTES,
  SENDGRID_WEBHOOK_PATH,
} from '@shortlist/contracts/api/email';
import { passwordChanged, userDeleted } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { readPublicKey } from '../src/mail/event-webhook.ts';
import { EVENT_KEYS, openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker({ hasEvents: false });
});
afterAll(() => worker.close());

const SECONDS = START.getTime() / 1_000;
type Signing = { key?: KeyObject; at?: string | null; signature?: string | null; signed?: string };

/** Delivers a body like SendGrid, unless the test changes the signature. */
const deliver = (
  body: string,
  { key = EVENT_KEYS.privateKey, at = String(SECONDS), signature, signed }: Signing = {},
  url = worker.url,
) => {
  const made = sign('sha256', Buffer.from(signed ?? `${at}${body}`), key).toString('base64');
  const headers = new Headers({ 'content-type': 'application/json' });
  if (signature !== null) headers.set(SENDGRID_SIGNATURE_HEADER, signature ?? made);
  if (at !== null) headers.set(SENDGRID_TIMESTAMP_HEADER, at);
  return fetch(`${url}${SENDGRID_WEBHOOK_PATH}`, { method: 'POST', headers, body });
};

/** The id of a mail that was sent to a user. */
const sendMail = async (
  userId = worker.addUser(),
): Promise<{ userId: string; mailId: string; email: string }> => {
  await worker.publish(passwordChanged, userId, { by: userId, generation: 1, keptSessionId: '' });
  await worker.send(userId);
  const rows = await worker.rows(userId);
  return { userId, mailId: rows.at(-1)?.id ?? '', email: `${userId}@people.test` };
};

type Fields = Record<string, unknown>;
const eventOf = ({ mailId, email }: { mailId: string; email: string }, fields: Fields = {}): Fields => ({
  email,
  timestamp: SECONDS - 10,
  event: 'bounce',
  type: 'bounce',
  reason: '550 User unknown',
  sg_event_id: uuidv7(),
  mail_id: mailId,
  ...fields,
});
const post = async (...events: unknown[]): Promise<void> =>
  expect((await deliver(JSON.stringify(events))).status).toBe(200);
const deliveryOf = async (mailId: string): Promise<string | null | undefined> =>
  (
    await worker.db.query<{ delivery: string | null }[]>('SELECT delivery FROM mails WHERE id = ?', [mailId])
  )[0]?.delivery;
type Stored = { kind: string; reason: string; user_id: string; lifted: number };
const suppressed = (email: string): Promise<Stored[]> =>
  worker.db.query(
    'SELECT kind, reason, user_id, lifted_at IS NOT NULL AS lifted FROM suppressions WHERE email = ?',
    [email],
  );
const countOf = async (pattern: RegExp): Promise<number> =>
  Number(pattern.exec(await worker.metrics.text())?.[1] ?? 0);
const refusals = () => countOf(/^mail_events_refused_total\{.*\} (\d+)$/m);
const deliveries = (outcome: string) =>
  countOf(new RegExp(`^mail_deliveries_total\\{outcome="${outcome}".*\\} (\\d+)$`, 'm'));

describe('a delivery of events is refused without storing anything', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  it.each<[string, Signing | ((body: string) => Signing)]>([
    ['without a signature', { signature: null }],
    ['without a timestamp', { at: null }],
    ['with an empty signature', { signature: '' }],
    ['with an invented signature', { signature: 'AAAA' }],
    ['signed with another key', { key: other }],
    ['signed over another body', (body) => ({ signed: `${SECONDS}${body} ` })],
    ['signed without its timestamp', (body) => ({ signed: body })],
    ['signed with another timestamp', (body) => ({ signed: `${SECONDS + 1}${body}` })],
    ['signed 601 seconds ago', { at: String(SECONDS - 601) }],
    ['signed 601 seconds ahead', { at: String(SECONDS + 601) }],
    ['with a timestamp in milliseconds', { at: String(START.getTime()) }],
    ['with a timestamp that is no number', { at: `${SECONDS}.0` }],
  ])('%s', async (_name, change) => {
    const sent = await sendMail();
    const body = JSON.stringify([eventOf(sent)]);
    const before = await refusals();
    const response = await deliver(body, typeof change === 'function' ? change(body) : change);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'worker.signature_refused' } });
    expect(await refusals()).toBe(before + 1);
    expect(await deliveryOf(sent.mailId)).toBeNull();
    expect(await suppressed(sent.email)).toEqual([]);
  });

  it.each(['not JSON', '', '{}', 'null', '"bounce"', '{"event":"bounce"}'])(
    'when it is signed but not a batch: %s',
    async (body) => {
      const response = await deliver(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'request.malformed' } });
    },
  );

  it('when it is too large, or has too many events', async () => {
    const sent = await sendMail();
    const large = JSON.stringify([eventOf(sent, { filler: 'x'.repeat(SENDGRID_WEBHOOK_BYTES) })]);
    expect((await deliver(large)).status).toBe(413);
    expect((await deliver(JSON.stringify(Array(5_001).fill(0)))).status).toBe(413);
    expect(await deliveryOf(sent.mailId)).toBeNull();
  });
});

it('a delivery that was signed 599 seconds ago is accepted', async () => {
  const sent = await sendMail();
  expect((await deliver(JSON.stringify([eventOf(sent)]), { at: String(SECONDS - 599) })).status).toBe(200);
  expect(await deliveryOf(sent.mailId)).toBe('bounced');
});

it('without a key, the endpoint does not exist', async () => {
  const without = await openWorker({ eventKey: null });
  const response = await deliver('[]', {}, without.url);
  await without.close();
  expect(response.status).toBe(404);
});

describe('the events of a batch', () => {
  it('give each email its state, and its address the reason for the suppression', async () => {
    const sent = await Promise.all(Array.from({ length: 6 }, () => sendMail()));
    const [bounced, blocked, delivered, dropped, complained, deferred] = sent as [
      (typeof sent)[0],
      (typeof sent)[0],
      (typeof sent)[0],
      (typeof sent)[0],
      (typeof sent)[0],
      (typeof sent)[0],
    ];
    const before = await deliveries('delivered');
    await post(
      eventOf(bounced, { reason: '550 <b>no</b> such user' }),
      eventOf(blocked, { type: 'blocked' }),
      eventOf(delivered, { event: 'delivered' }),
      eventOf(dropped, { event: 'dropped', reason: 'Bounced Address' }),
      eventOf(complained, { event: 'spamreport', reason: undefined }),
      eventOf(complained, { event: 'delivered' }),
      eventOf(deferred, { event: 'deferred' }),
    );
    expect(await Promise.all(sent.map(({ mailId }) => deliveryOf(mailId)))).toEqual([
      'bounced',
      'blocked',
      'delivered',
      'dropped',
      'complained',
      'deferred',
    ]);
    expect(await Promise.all(sent.map(({ email }) => suppressed(email)))).toEqual([
      [{ kind: 'bounced', reason: '550 b no /b such user', user_id: bounced.userId, lifted: 0 }],
      [],
      [],
      [{ kind: 'bounced', reason: 'Bounced Address', user_id: dropped.userId, lifted: 0 }],
      [{ kind: 'complained', reason: '', user_id: complained.userId, lifted: 0 }],
      [],
    ]);
    expect(await deliveries('delivered')).toBe(before + 2);
  });

  it('are stored even if others in the batch are of other emails, of unknown kinds, or invalid', async () => {
    const sent = await sendMail();
    const unknown = { mailId: uuidv7(), email: 'nobody@people.test' };
    await post(
      null,
      7,
      'bounce',
      [],
      {},
      eventOf(sent, { mail_id: undefined }),
      eventOf(sent, { mail_id: "' OR 1=1 --" }),
      eventOf(sent, { email: 7 }),
      eventOf(sent, { email: `${'x'.repeat(255)}@people.test` }),
      eventOf(sent, { timestamp: -1 }),
      eventOf(sent, { timestamp: 1e300 }),
      eventOf(sent, { event: { $ne: '' } }),
      eventOf(sent, { event: 'open' }),
      eventOf(sent, { event: '__proto__' }),
      eventOf(unknown),
      eventOf(sent, { event: 'delivered' }),
    );
    expect(await deliveryOf(sent.mailId)).toBe('delivered');
    expect(await suppressed(sent.email)).toEqual([]);
    expect(await suppressed(unknown.email)).toEqual([]);
  });

  it('change nothing when repeated, all at once or one by one in any order', async () => {
    const sent = await sendMail();
    const events = [
      eventOf(sent, { event: 'deferred' }),
      eventOf(sent),
      eventOf(sent, { event: 'delivered' }),
      eventOf(sent, { event: 'processed' }),
    ];
    const before = await deliveries('bounced');
    await Promise.all(events.toReversed().flatMap((event) => [post(event), post(event, event)]));
    await post(...events, ...events);
    expect(await deliveryOf(sent.mailId)).toBe('bounced');
    expect(await suppressed(sent.email)).toHaveLength(1);
    expect(await deliveries('bounced')).toBe(before + 1);
  });

  it('of one address: the newest counts, in either order', async () => {
    const userId = worker.addUser();
    for (const order of [0, 1]) {
      const [first, second] = [await sendMail(userId), await sendMail(userId)];
      const events = [
        eventOf(first, { event: 'spamreport', timestamp: SECONDS - 100 + order }),
        eventOf(second, { timestamp: SECONDS - 90 + order, reason: `newest ${order}` }),
      ];
      for (const event of order === 0 ? events : events.toReversed()) await post(event);
      expect(await suppressed(first.email)).toMatchObject([{ kind: 'bounced', reason: `newest ${order}` }]);
    }
  });

  it('of one address in the same second: the bounce counts, in either order', async () => {
    for (const isFirst of [true, false]) {
      const userId = worker.addUser();
      const [first, second] = [await sendMail(userId), await sendMail(userId)];
      const events = [eventOf(first), eventOf(second, { event: 'spamreport' })];
      for (const event of isFirst ? events : events.toReversed()) await post(event);
      expect(await suppressed(first.email)).toMatchObject([{ kind: 'bounced' }]);
    }
  });

  it('of a deleted user store no address', async () => {
    const sent = await sendMail();
    const other = await sendMail(sent.userId);
    await post(eventOf(sent));
    expect(await suppressed(sent.email)).toHaveLength(1);
    worker.deleteProfile(sent.userId);
    await worker.publish(userDeleted, sent.userId, { by: sent.userId, generation: 1 });
    expect(await suppressed(sent.email)).toEqual([]);
    await post(eventOf(sent), eventOf(other));
    expect(await suppressed(sent.email)).toEqual([]);
    expect(await deliveryOf(other.mailId)).toBe('bounced');
  });

  it('concurrent with the deletion of the user store no address either', async () => {
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendMail()));
    await Promise.all(
      sent.flatMap(({ userId, mailId, email }) => [
        post(eventOf({ mailId, email })),
        worker.publish(userDeleted, userId, { by: userId, generation: 1 }),
      ]),
    );
    for (const { email } of sent) expect(await suppressed(email)).toEqual([]);
  });

  it('are at most five thousand, which are stored together', async () => {
    const sent = await sendMail();
    const minimal = { email: sent.email, timestamp: SECONDS, event: 'delivered', mail_id: uuidv7() };
    await post(...Array.from({ length: 4_999 }, () => minimal), eventOf(sent, { event: 'delivered' }));
    expect(await deliveryOf(sent.mailId)).toBe('delivered');
  });
});

describe('the key of the events', () => {
  const spki = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');

  it('is a P-256 key in the form that SendGrid displays', () => {
    expect(readPublicKey(spki(EVENT_KEYS.publicKey)).asymmetricKeyType).toBe('ec');
    for (const key of [
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey,
      generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey,
      generateKeyPairSync('ed25519').publicKey,
    ])
      expect(() => readPublicKey(spki(key))).toThrow();
    for (const text of ['', 'AAAA', 'no base64 at all']) expect(() => readPublicKey(text)).toThrow();
  });

  it('may be missing, but not anything else', () => {
    const messageFor = (SENDGRID_WEBHOOK_PUBLIC_KEY: string): string => {
      try {
        readConfig({ SENDGRID_WEBHOOK_PUBLIC_KEY });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(messageFor('AAAA')).toContain('invalid SENDGRID_WEBHOOK_PUBLIC_KEY');
    for (const text of ['', spki(EVENT_KEYS.publicKey)])
      expect(messageFor(text)).not.toContain('SENDGRID_WEBHOOK_PUBLIC_KEY');
  });
});
