import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  type Attributes,
  errorCodeOf,
  inSpan,
  inTrace,
  parseTraceparent,
  type Span,
  startSpan,
  type Trace,
  traceparentOf,
} from '../process/trace.ts';
import type { Message, ReceivedMessage } from './bus.ts';

const attributesOf = (topic: string, { id, type }: CloudEvent<unknown>): Attributes => ({
  'messaging.system': 'kafka',
  'messaging.destination.name': topic,
  'cloudevents.event_id': id,
  'cloudevents.event_type': type,
});

type OutboxMessage = { topic: string; key: string; payload: string; event: CloudEvent<unknown> };

/** The message of an outbox row. In a sampled trace it has a span, which the caller ends after publishing and which consumers continue. */
export const startPublication = ({
  topic,
  key,
  payload,
  event,
}: OutboxMessage): { message: Message; span?: Span } => {
  const parent = parseTraceparent(event.traceparent);
  if (!parent?.sampled) return { message: { key, value: payload } };
  const attributes = { ...attributesOf(topic, event), 'messaging.operation.type': 'send' };
  const span = startSpan(`publish ${event.type}`, { kind: 'producer', attributes, parent });
  return { message: { key, value: payload, headers: { traceparent: traceparentOf(span.trace) } }, span };
};

export type TracedEvent = { consumer: string; message: ReceivedMessage; event: CloudEvent<never> };

/** The publication of the event, or otherwise the change that emitted it. */
const parentOf = ({ message, event }: TracedEvent): Trace | null =>
  parseTraceparent(message.headers?.['traceparent'] ?? event.traceparent);

const OUTCOME = 'shortlist.event.outcome';

const handlingOf = (traced: TracedEvent) => ({
  kind: 'consumer' as const,
  parent: parentOf(traced),
  attributes: {
    ...attributesOf(traced.message.topic, traced.event),
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': traced.consumer,
    [OUTCOME]: 'failed',
  },
});

/** Handles an event in a span of its trace. */
export const inEventSpan = (traced: TracedEvent, work: () => Promise<void>): Promise<void> =>
  inSpan(`handle ${traced.event.type}`, handlingOf(traced), async (span) => {
    await work();
    span.set({ [OUTCOME]: 'handled' });
  });

/** The spans of events that share a transaction. They end with it. */
export const createBatchSpans = () => {
  const spans: Span[] = [];
  const endAll = (finish: (span: Span) => void): void => {
    for (const span of spans) {
      finish(span);
      span.end();
    }
  };
  return {
    /** Runs the effect of an event in its span. */
    run: <T>(traced: TracedEvent, effect: () => T): T => {
      const span = startSpan(`handle ${traced.event.type}`, handlingOf(traced));
      spans.push(span);
      return inTrace(span.trace, effect);
    },
    commit: () => endAll((span) => span.set({ [OUTCOME]: 'handled' })),
    fail: (error: unknown) => endAll((span) => span.fail(errorCodeOf(error))),
  };
};
