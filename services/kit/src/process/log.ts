import { type DestinationStream, pino } from 'pino';
import { currentTrace } from './trace.ts';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

// Whatever is logged by mistake inside an object: these never leave the process.
const SECRETS = ['password', 'token', 'authorization', 'cookie', 'secret', 'passwordHash'];
const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' };

// A database's error carries the statement's values, which may be a password's hash or a token: its words are enough.
const VALUES = ['sql', 'parameters', 'driverError'];

const withoutValues = (error: Error): unknown => {
  const told = pino.stdSerializers.err(error) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(told).filter(([name]) => !VALUES.includes(name)));
};

/** One JSON object per line, on standard output unless told otherwise, each with the trace id it belongs to. */
export const createLog = (name: string, level: string, destination?: DestinationStream): Log =>
  pino(
    {
      name,
      level,
      redact,
      serializers: { err: withoutValues },
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const trace = currentTrace();
        return trace ? { traceId: trace.traceId } : {};
      },
    },
    destination ?? pino.destination(1),
  );
