// How a process of a service is, and the events that it could not handle.
import * as rule from '../schemas/validation.ts';
import { operationsOf } from './operation.ts';

/** The dead letters of a service that are shown. */
export const DEAD_LETTERS_MAX = 100;

/** `oldestSeconds`: how long the oldest has waited, 0 without one. */
export const backlog = { waiting: rule.count, oldestSeconds: rule.count };

/**
 * `lag`: the events of each topic that are not consumed yet. `unreadable`: batches that cannot be replayed. Both counts are null until new dead
 * letters are counted, which takes the broker some seconds.
 */
const consumption = rule.view({
  lag: rule.listOf(rule.view({ topic: rule.text, waiting: rule.count })),
  deadLetters: rule.nullable(rule.count),
  unreadable: rule.nullable(rule.count),
});
export type Consumption = rule.TypeOf<typeof consumption>;

/** `p95`: in milliseconds, estimated from the buckets of a histogram; null without requests. */
const counted = { requests: rule.count, errors: rule.count, p95: rule.nullable(rule.count) };

/**
 * The requests of all processes of a service in the last 24 hours, and in each of the half hours of which anything is known, the oldest first.
 * `errors`: with a status from 500 on. `minutesDown`: in which no process was up.
 */
export const requestReport = rule.view({
  ...counted,
  halfHours: rule.listOf(rule.view({ start: rule.time, ...counted, minutesDown: rule.count })),
});
export type RequestReport = rule.TypeOf<typeof requestReport>;

/**
 * A server on which a process depends. `server`: its product and version. `used` of `limit`: the connections of a database, the bytes of a Redis
 * server, the brokers of Kafka. Null where it does not say, or has no limit.
 */
const serverDetails = rule.view({
  server: rule.nullable(rule.text),
  used: rule.nullable(rule.count),
  limit: rule.nullable(rule.count),
});
export type ServerDetails = rule.TypeOf<typeof serverDetails>;

/** `details`: null if it cannot be read; the release before lacks it. */
const dependency = rule.view({
  name: rule.text,
  isUp: rule.flag,
  details: rule.mayLack(rule.nullable(serverDetails)),
});

/**
 * One process of a service. `migration`: the last one of its database. `outbox` and `consumption` are null where there is none, and where the
 * database or the broker does not respond, which `dependencies` then says.
 */
export const processStatus = rule.view({
  version: rule.text,
  dependencies: rule.listOf(dependency),
  migration: rule.nullable(rule.text),
  outbox: rule.nullable(rule.view(backlog)),
  consumption: rule.nullable(consumption),
  /** Null if it cannot be read. The release before lacks it. */
  requests: rule.mayLack(rule.nullable(requestReport)),
});
export type ProcessStatus = rule.TypeOf<typeof processStatus>;

/**
 * `position`: partition and offset in the topic of dead letters. `cause`: why the event could not be handled. `hasEarlier`: an earlier event of
 * the same user must be replayed first.
 */
export const deadLetter = {
  position: rule.text,
  eventId: rule.text,
  type: rule.text,
  subject: rule.text,
  topic: rule.text,
  cause: rule.text,
  time: rule.text,
  isUnreadable: rule.flag,
  hasEarlier: rule.flag,
};
const deadLetterView = rule.view(deadLetter);
export type DeadLetterView = rule.TypeOf<typeof deadLetterView>;
/** `content`: the event as JSON, without secrets. */
export const deadLetterDetail = rule.view({ ...deadLetter, content: rule.text });
export type DeadLetterDetail = rule.TypeOf<typeof deadLetterDetail>;

export const position = { position: rule.textLike(/^\d{1,10}:\d{1,20}$/) };
const ofService = operationsOf('each', { roles: ['admin'] });

/** The same operations at each service; bff composes their public endpoints, and is a consumer itself. */
export const statusEndpoint = ofService('GET /status', { reply: { data: processStatus } });
export const deadLetterEndpoints = {
  /** The oldest DEAD_LETTERS_MAX. */
  listDeadLetters: ofService('GET /dead-letters', { reply: { data: rule.listOf(deadLetterView) } }),
  /** Throws `service.dead_letter_not_found`, also once it was replayed or discarded. */
  getDeadLetter: ofService('GET /dead-letters/:position', {
    input: position,
    reply: { data: deadLetterDetail },
  }),
  /** Publishes the event again. Throws `service.earlier_dead_letter` while an earlier one of the same user is there. */
  replayDeadLetter: ofService('POST /dead-letters/:position/replay', { input: position }),
  /** Records that the event will not be handled. */
  discardDeadLetter: ofService('POST /dead-letters/:position/discard', { input: position }),
} as const;
