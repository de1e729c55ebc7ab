import { writeFileSync } from 'node:fs';
import { ConfigError, type Environment, PACKAGE_VERSION } from './config.ts';
import { createLog, type Log } from './log.ts';

/** Start and stop of a process. `onStop` functions run in reverse order. */
export type Lifecycle = {
  log: Log;
  onStop: (part: string, stop: () => Promise<unknown> | void) => void;
  /** Ends the process with exit code 1, after stopping its parts. */
  fail: (reason: string) => void;
};

/** Includes up to ten seconds in which requests are still accepted (DRAIN_SECONDS). */
const STOP_TIMEOUT_MS = 30_000;

type Stop = { part: string; stop: () => Promise<unknown> | void };

const stopAll = async (stops: Stop[], log: Log): Promise<void> => {
  for (const { part, stop } of stops.toReversed()) {
    try {
      await stop();
    } catch (error) {
      log.error({ err: error, part }, 'part not stopped cleanly');
    }
  }
};

/** How late the kernel may end a wait of the process for a timer. Input ends it at once. */
const TIMER_SLACK_NS = 10_000_000;

/**
 * Lets the kernel join the timers of the process (https://man7.org/linux/man-pages/man5/proc_pid_timerslack_ns.5.html). kafkajs sets one of a
 * millisecond for each connection, again and again (its issue 1704): an idle process would wake 1,700 times a second.
 */
const joinTimers = (): void => {
  try {
    writeFileSync('/proc/self/timerslack_ns', String(TIMER_SLACK_NS));
  } catch {
    // Not Linux, or not allowed there: timers are exact and cost more.
  }
};

/**
 * Runs a process: ordered start, ordered stop on SIGTERM or SIGINT, and exit code 1 with a logged reason after an uncaught error. A
 * `ConfigError` is reported in one sentence.
 */
export const run = (
  name: string,
  { env, start }: { env: Environment; start: (lifecycle: Lifecycle) => Promise<void> },
): void => {
  joinTimers();
  const log = createLog(name, env['LOG_LEVEL'] ?? 'info', { version: env['VERSION'] || PACKAGE_VERSION });
  const stops: Stop[] = [];
  let ending = false;
  const exit = async (code: number): Promise<void> => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(code || 1), STOP_TIMEOUT_MS).unref();
    await stopAll(stops, log);
    process.exit(code);
  };
  const fail = (error: unknown, message: string): void => {
    log.fatal({ err: error }, message);
    void exit(1);
  };
  process.on('SIGTERM', () => void exit(0));
  process.on('SIGINT', () => void exit(0));
  process.on('uncaughtException', (error) => fail(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'));
  const lifecycle: Lifecycle = {
    log,
    onStop: (part, stop) => stops.push({ part, stop }),
    fail: (reason) => fail(new Error(reason), 'fatal failure'),
  };
  start(lifecycle).then(
    () => log.info('started'),
    (error: unknown) => {
      if (!(error instanceof ConfigError)) return fail(error, 'start failed');
      process.stderr.write(`${name} ${error.message}\n`);
      process.exit(1);
    },
  );
};
