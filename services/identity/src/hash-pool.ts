import { seconds } from '@shortlist/contracts/durations';
import { Piscina } from 'piscina';
import { CONCURRENCY, type Hashing } from './passwords.ts';

/** Hashes get about a tenth of a core beside other work of the machine, and all that other work leaves. */
const NICE = 10;
/** Idle threads end: each takes some memory. */
const IDLE_MS = seconds(60);

/**
 * Hashes passwords in threads of low priority: a hash fills a core for a while, and with many log-ins at once all other requests of the machine
 * would wait behind them. `close` ends the threads.
 */
export const createHashPool = (): Hashing & { close: () => Promise<void> } => {
  const pool = new Piscina({
    filename: new URL('hash-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: CONCURRENCY,
    idleTimeout: IDLE_MS,
    niceIncrement: NICE,
  });
  return {
    hash: (password) => pool.run(password, { name: 'hash' }) as Promise<string>,
    verify: (passwordHash, password) =>
      pool.run({ passwordHash, password }, { name: 'verify' }) as Promise<boolean>,
    close: () => pool.close({ force: true }),
  };
};
