import { type DestinationStream, pino } from 'pino';
import { currentTrace } from './trace.ts';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

// Fields that are removed from every logged object.
const SECRETS = ['password', 'token', 'authorization', 'cookie', 'secret', 'passwordHash'];
const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' };

/** API keys and access tokens, which a client may send as part of a path. */
const KEYS = /sl(?:_live|_test|t)_[\w-]*/g;

const withoutKeys = (path: unknown): unknown =>
  typeof path === 'string' ? path.replace(KEYS, '[key]') : path;

// A database error contains the values of the statement, which may be a password hash or a token.
const VALUES = ['sql', 'parameters', 'driverError'];

const withoutValues = (error: Error): unknown => {
  const serialized = pino.stdSerializers.err(error) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(serialized).filter(([name]) => !VALUES.includes(name)));
};

type Options = {
  /** Of the running code, in each line. */
  version?: string;
  destination?: DestinationStream;
};

/** Logs one JSON object per line with the current trace id, by default to standard output. */
export const createLog = (name: string, level: string, { version, destination }: Options = {}): Log =>
  pino(
    {
      name,
      level,
      redact,
      serializers: { err: withoutValues, path: withoutKeys },
      base: { name, ...(version !== undefined && { version }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const trace = currentTrace();
        return trace ? { traceId: trace.traceId } : {};
      },
    },
    destination ?? pino.destination(1),
  );
