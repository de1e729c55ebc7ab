import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { AppError } from './errors.ts';

/**
 * W3C trace context: one trace id follows a click from the browser through requests, events and jobs. `sampled` is decided where the
 * trace enters the product, and every process follows it.
 */
export type Trace = { traceId: string; spanId: string; sampled: boolean };

// An id of zeros is invalid.
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const storage = new AsyncLocalStorage<Trace>();

/** Random bits are drawn for many ids at once: drawing them for each id took 8 % of a session check. */
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

/** The trace of a `traceparent` header; null if it is missing or invalid. */
export const parseTraceparent = (traceparent: unknown): Trace | null => {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (match === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** A trace whose spans are not recorded. */
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

/** Values that describe a span, by the names of OpenTelemetry's semantic conventions; never personal data, secrets or raw paths. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;
type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** A part of a trace, with its duration. Without tracing, or in a trace that is not sampled, it records nothing. */
export type Span = {
  /** The trace that the span's work continues, here and in other processes. */
  trace: Trace;
  rename: (name: string) => void;
  set: (attributes: Attributes) => void;
  /** Marks the span as failed, with the code of the error; its message may contain personal data. */
  fail: (code: string) => void;
  end: () => void;
};

type NewSpan = { kind: SpanKind; attributes?: Attributes; parent: Trace | null };

/** What records spans while tracing is on. */
export type Tracer = {
  /** The share of traces that are recorded, from 0 to 1. */
  share: number;
  start: (name: string, options: NewSpan) => Span;
};

// One per process, so that code in a trace finds it without an argument.
let tracer: Tracer | null = null;

/** Records spans with `next` from now on; null records none. */
export const setTracer = (next: Tracer | null): void => void (tracer = next);

const ignore = (): void => undefined;
const NOT_RECORDED = { rename: ignore, set: ignore, fail: ignore, end: ignore };
const notRecorded = (trace: Trace): Span => ({ ...NOT_RECORDED, trace });

/** Random instead of by the trace id, which a client may have chosen. */
const isChosen = ({ share }: Tracer): boolean => Math.random() < share;

/** Decides whether a client's trace is recorded, regardless of the client's own decision. */
export const sampleClientTrace = (trace: Trace | null): Trace | null =>
  trace && { ...trace, sampled: tracer !== null && isChosen(tracer) };

/** Starts a span, to be ended by the caller. Without a parent it is the root of a trace, sampled at random. */
export const startSpan = (name: string, options: NewSpan): Span => {
  const { parent } = options;
  if (tracer === null) return notRecorded(parent ?? newTrace());
  const isRecorded = parent?.sampled ?? isChosen(tracer);
  return isRecorded ? tracer.start(name, options) : notRecorded(parent ?? newTrace());
};

/** The code of an error, or the name of its class. */
export const errorCodeOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
};

/** Runs `work` in a span that ends with it. The parent is the current trace unless given; null makes a root. */
export const inSpan = async <T>(
  name: string,
  { parent = currentTrace() ?? null, ...options }: Omit<NewSpan, 'parent'> & { parent?: Trace | null },
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const span = startSpan(name, { ...options, parent });
  try {
    return await inTrace(span.trace, () => work(span));
  } catch (error) {
    span.fail(errorCodeOf(error));
    throw error;
  } finally {
    span.end();
  }
};

/** Runs `work` in a span if it belongs to a sampled trace, otherwise without one. */
export const inSampledSpan = <T>(
  name: string,
  options: Omit<NewSpan, 'parent'>,
  work: () => Promise<T>,
): Promise<T> => (currentTrace()?.sampled ? inSpan(name, options, work) : work());
