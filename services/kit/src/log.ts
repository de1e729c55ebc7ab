import { pino } from 'pino';
import { currentTrace } from './trace.ts';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

// Whatever is logged by mistake inside an object: these never leave the process.
const SECRETS = ['password', 'token', 'authorization', 'cookie', 'secret', 'passwordHash'];
const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' };

/** One JSON object per line on standard output, each with the trace id it belongs to. */
export const createLog = (name: string, level: string): Log =>
  pino({
    name,
    level,
    redact,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const trace = currentTrace();
      return trace ? { traceId: trace.traceId } : {};
    },
  });
