// SendGrid's event webhook, which is verified, and stored before the response. SendGrid redelivers a failed batch as a whole.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  SENDGRID_SIGNATURE_HEADER,
  SENDGRID_TIMESTAMP_HEADER,
  SENDGRID_WEBHOOK_BYTES,
  SENDGRID_WEBHOOK_PATH,
} from '@shortlist/contracts/api/email';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { mailDeliveries, mailEventsRefused } from '../metrics.ts';
import {
  cleanReason,
  type DeliveryState,
  DELIVERY_STATES,
  type ProviderEvent,
  stateOf,
  suppressionOf,
} from './delivery.rules.ts';
import { lockRecipient, setDelivery } from './queries.ts';
import { suppress } from './suppression-queries.ts';
import express, { type Express } from 'express';
import Joi from 'joi';

/** Reads the public key that SendGrid displays, in base64 of its DER form. Throws for anything but a P-256 key. */
export const readPublicKey = (text: string): KeyObject => {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not a key of P-256');
  return key;
};

/** A delivery that is older, or further in the future, may be a replay. SendGrid signs each attempt anew. */
const TOLERANCE_SECONDS = inSeconds(minutes(10));

type Delivered = { body: Buffer; signature: string; timestamp: string };

/** Whether SendGrid signed the delivery recently. */
const isGenuine = (key: KeyObject, { body, signature, timestamp }: Delivered, now: Date): boolean => {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(inSeconds(now.getTime()) - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return verify('sha256', signed, key, Buffer.from(signature, 'base64'));
};

/** More than the largest batch can have, because each event takes a few hundred bytes. */
const EVENTS_MAX = 5_000;

type RawEvent = {
  event: string;
  type?: string;
  reason?: string;
  email: string;
  timestamp: number;
  mail_id: string;
};

// The relevant fields of an event. Events about emails that this product did not send have no id.
const rawEvent = Joi.object<RawEvent, true>({
  event: Joi.string().max(40).required(),
  type: Joi.string().allow(''),
  reason: Joi.string().allow(''),
  email: Joi.string().lowercase().max(254).required(),
  timestamp: Joi.number().integer().min(0).max(99_999_999_999).required(),
  mail_id: Joi.string().guid().lowercase().required(),
}).unknown();

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    throw createError('request.malformed', { cause });
  }
};

/** The events about our emails. An invalid event must not prevent the others from being stored. */
const readEvents = (body: Buffer): ProviderEvent[] => {
  const batch = parse(body);
  if (!Array.isArray(batch)) throw createError('request.malformed');
  if (batch.length > EVENTS_MAX) throw createError('request.too_large');
  return batch.flatMap((item: unknown) => {
    const result: Joi.ValidationResult<RawEvent> = rawEvent.validate(item);
    if (result.error !== undefined) return [];
    const { event: kind, type = '', reason = '', email, timestamp, mail_id: mailId } = result.value;
    return [{ kind, type, reason, email, mailId, at: new Date(timestamp * 1_000) }];
  });
};

type Stated = { event: ProviderEvent; state: DeliveryState };

const statedBy = (events: readonly ProviderEvent[]): Stated[] =>
  events.flatMap((event) => {
    const state = stateOf(event);
    return state === null ? [] : [{ event, state }];
  });

/**
 * Stores the state of an email and the suppression of its address. Only an event that changes the state counts, so that one that is repeated after
 * the suppression was lifted changes nothing. For a deleted user, only the state is stored. Returns the number of emails that changed state.
 */
const storeFailure = (db: Db, { event, state }: Stated): Promise<number> =>
  inTransaction(db, async (tx) => {
    const recipient = await lockRecipient(tx, event.mailId);
    if (recipient === null) return 0;
    const changed = await setDelivery(tx, [event.mailId], state);
    const kind = suppressionOf(state, event);
    if (changed === 0 || kind === null || recipient.isRedacted) return changed;
    const { email, at: occurredAt } = event;
    const reason = cleanReason(event.reason);
    await suppress(tx, { email, userId: recipient.userId, kind, reason, occurredAt });
    return changed;
  });

/** The states without effect on the address, so that many of them need only one statement. */
const OF_MAIL: ReadonlySet<DeliveryState> = new Set(['deferred', 'blocked', 'delivered']);

const CHUNK = 500;
const inChunks = <T>(items: readonly T[]): T[][] =>
  items.length === 0 ? [] : [items.slice(0, CHUNK), ...inChunks(items.slice(CHUNK))];

/** Stores the events and counts the emails that changed to each state. Idempotent, in any order. */
export const storeEvents = async (
  db: Db,
  events: readonly ProviderEvent[],
  count: (state: DeliveryState, mails: number) => void,
): Promise<void> => {
  const stated = statedBy(events);
  for (const state of DELIVERY_STATES) {
    const ofState = stated.filter((item) => item.state === state);
    if (!OF_MAIL.has(state)) {
      for (const item of ofState) count(state, await storeFailure(db, item));
      continue;
    }
    const ids = [...new Set(ofState.map(({ event }) => event.mailId))];
    for (const chunk of inChunks(ids))
      count(state, await inTransaction(db, (tx) => setDelivery(tx, chunk, state)));
  }
};

type WebhookParts = {
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Null if SendGrid sends no events: the endpoint then does not exist. */
  eventKey: KeyObject | null;
};

export const addEventWebhook = (app: Express, { db, clock, log, metrics, eventKey }: WebhookParts): void => {
  if (eventKey === null) return;
  const refusals = metrics.counter(mailEventsRefused);
  const deliveries = metrics.counter(mailDeliveries);
  const count = (outcome: DeliveryState, mails: number): void => deliveries.inc({ outcome }, mails);
  for (const outcome of DELIVERY_STATES) count(outcome, 0); // so that the first increase is visible
  app.post(
    SENDGRID_WEBHOOK_PATH,
    express.raw({ type: () => true, limit: SENDGRID_WEBHOOK_BYTES, inflate: false }),
    async (request, response) => {
      const delivered = {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: request.get(SENDGRID_SIGNATURE_HEADER) ?? '',
        timestamp: request.get(SENDGRID_TIMESTAMP_HEADER) ?? '',
      };
      if (!isGenuine(eventKey, delivered, clock())) {
        refusals.inc();
        throw createError('worker.signature_refused');
      }
      const events = readEvents(delivered.body);
      await storeEvents(db, events, count);
      log.debug({ events: events.length }, 'mail events stored');
      response.json({ received: true });
    },
  );
};
