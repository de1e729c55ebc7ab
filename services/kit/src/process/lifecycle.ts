import { ConfigError, type Environment } from './config.ts';
import { armFailPoints } from './fail-point.ts';
import { createLog, type Log } from './log.ts';

/** What a process is given to live by: `onStop` is called in reverse order, so what started last ends first. */
export type Lifecycle = {
  log: Log;
  onStop: (what: string, stop: () => Promise<unknown> | void) => void;
  end: (why: string) => void;
};

const STOP_LIMIT_MS = 20_000;

type Stop = { what: string; stop: () => Promise<unknown> | void };

const stopAll = async (stops: Stop[], log: Log): Promise<void> => {
  for (const { what, stop } of stops.toReversed()) {
    try {
      await stop();
    } catch (error) {
      log.error({ err: error, what }, 'did not stop cleanly');
    }
  }
};

/**
 * Runs a process: ordered start, ordered stop on SIGTERM or SIGINT, and an end with a reason on anything nobody caught.
 * A configuration that is not enough ends it with one sentence and exit code 1.
 */
export const run = (
  name: string,
  { env, start }: { env: Environment; start: (lifecycle: Lifecycle) => Promise<void> },
): void => {
  const log = createLog(name, env['LOG_LEVEL'] ?? 'info');
  const { FAIL_POINTS: points, FAIL_SEED: seed, FAIL_SWITCH: switchFile } = env;
  if (points && switchFile) armFailPoints({ points, seed: Number(seed ?? 1) ^ process.pid, switchFile });
  const stops: Stop[] = [];
  let ending = false;
  const exit = async (code: number): Promise<void> => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(code || 1), STOP_LIMIT_MS).unref();
    await stopAll(stops, log);
    process.exit(code);
  };
  const fail = (error: unknown, message: string): void => {
    log.fatal({ err: error }, message);
    void exit(1);
  };
  process.on('SIGTERM', () => void exit(0));
  process.on('SIGINT', () => void exit(0));
  process.on('uncaughtException', (error) => fail(error, 'nobody caught this'));
  process.on('unhandledRejection', (error) => fail(error, 'nobody awaited this'));
  const lifecycle: Lifecycle = {
    log,
    onStop: (what, stop) => stops.push({ what, stop }),
    end: (why) => fail(new Error(why), 'cannot go on'),
  };
  start(lifecycle).then(
    () => log.info('started'),
    (error: unknown) => {
      if (!(error instanceof ConfigError)) return fail(error, 'could not start');
      process.stderr.write(`${name} ${error.message}\n`);
      process.exit(1);
    },
  );
};
