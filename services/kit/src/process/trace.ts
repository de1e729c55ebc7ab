import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/**
 * W3C trace context: one trace id follows a click from the browser through requests, events and jobs. `sampled` is decided where the
 * trace enters the product, and every process follows it.
 */
export type Trace = { traceId: string; spanId: string; sampled: boolean };

// An id of zeros is invalid.
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const storage = new AsyncLocalStorage<Trace>();

/** The bits of many ids are drawn at once: drawing those of each id was 8 % of a session check. */
const bits = Buffer.alloc(4_096);
let used = bits.length;

const randomId = (bytes: number): string => {
  if (used + bytes > bits.length) {
    randomFillSync(bits);
    used = 0;
  }
  used += bytes;
  return bits.toString('hex', used - bytes, used);
};

/** The trace of a `traceparent` header; null when there is no valid one. */
export const parseTraceparent = (traceparent: unknown): Trace | null => {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (match === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** A trace of which no span is recorded. */
export const newTrace = (): Trace => ({ traceId: randomId(16), spanId: randomId(8), sampled: false });

/** Continues the trace of a `traceparent` header, or starts a new one. */
export const traceFrom = (traceparent: unknown): Trace => parseTraceparent(traceparent) ?? newTrace();

export const inTrace = <T>(trace: Trace, work: () => T): T => storage.run(trace, work);
export const currentTrace = (): Trace | undefined => storage.getStore();

/** The `traceparent` header of a trace. */
export const traceparentOf = ({ traceId, spanId, sampled }: Trace): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** The `traceparent` header of the current trace, or of a new one. */
export const currentTraceparent = (): string => traceparentOf(currentTrace() ?? newTrace());
