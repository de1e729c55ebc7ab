import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/**
 * W3C trace context: one trace id follows a click from the browser through requests, events and jobs. `sampled` is decided where the
 * trace enters the product, and every process follows it.
 */
export type Trace = { traceId: string; spanId: string; sampled: boolean };

// An id of zeros is invalid.
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const storage = new AsyncLocalStorage<Trace>();
/** Node draws the bits of many UUIDs at once; drawing those of each id was 8 % of a session check. */
const randomId = (digits: number): string => randomUUID().replaceAll('-', '').slice(0, digits);

/** The trace of a `traceparent` header; null when there is no valid one. */
export const parseTraceparent = (traceparent: unknown): Trace | null => {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (match === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** A trace of which no span is recorded. */
export const newTrace = (): Trace => ({ traceId: randomId(32), spanId: randomId(16), sampled: false });

/** Continues the trace of a `traceparent` header, or starts a new one. */
export const traceFrom = (traceparent: unknown): Trace => parseTraceparent(traceparent) ?? newTrace();

export const inTrace = <T>(trace: Trace, work: () => T): T => storage.run(trace, work);
export const currentTrace = (): Trace | undefined => storage.getStore();

/** The `traceparent` header of a trace. */
export const traceparentOf = ({ traceId, spanId, sampled }: Trace): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** The `traceparent` header of the current trace, or of a new one. */
export const currentTraceparent = (): string => traceparentOf(currentTrace() ?? newTrace());
