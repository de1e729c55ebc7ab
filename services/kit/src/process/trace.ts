import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** W3C trace context: one trace id follows a click from the browser through requests, events and jobs. */
export type Trace = { traceId: string; spanId: string };

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const storage = new AsyncLocalStorage<Trace>();
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Continues the trace of a `traceparent` header, or starts a new one. */
export const traceFrom = (traceparent: unknown): Trace => {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  return { traceId: match?.[1] ?? hex(16), spanId: hex(8) };
};

export const inTrace = <T>(trace: Trace, work: () => T): T => storage.run(trace, work);
export const currentTrace = (): Trace | undefined => storage.getStore();

/** The `traceparent` header of the current trace, or of a new one. */
export const currentTraceparent = (): string => {
  const { traceId, spanId } = currentTrace() ?? traceFrom(undefined);
  return `00-${traceId}-${spanId}-01`;
};
