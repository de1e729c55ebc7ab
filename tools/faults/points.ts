import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FailPoint } from '@shortlist/kit/process/fail-point';
import { firedFile } from '@shortlist/kit/testing/arm-fail-points';
import { preloading } from './preload.ts';

/** The probability that a process dies at each pass of a fail point, when all are armed. */
const CHANCES: Record<FailPoint, number> = {
  'outbox.before_insert': 0.004,
  'transaction.after_commit': 0.004,
  'transaction.response_lost': 0.01,
  'relay.before_publish': 0.01,
  'relay.after_publish': 0.02,
  'inbox.before_commit': 0.01,
  'consumer.after_commit': 0.01,
  'stripe_inbox.after_insert': 0.03,
  'stripe_inbox.after_answer': 0.03,
  'mail.after_accept': 0.05,
};
export const POINTS = Object.keys(CHANCES) as FailPoint[];
/** The probability with one fail point armed: high enough to fire soon, low enough to reach every process that passes it. */
const ALONE = 0.2;
/** Points that only one process passes, and only after it has rejoined its group. */
const RARE: Partial<Record<FailPoint, number>> = { 'mail.after_accept': 0.7 };

export const ALL_POINTS = CHANCES;
export const onlyPoint = (point: FailPoint): Partial<Record<FailPoint, number>> => ({
  [point]: RARE[point] ?? ALONE,
});

/** Arms the fail points of processes, switches them on and off, and lists those that fired. */
export type Switch = {
  environment: (chances: Partial<Record<FailPoint, number>>, seed: number) => Record<string, string>;
  on: () => Promise<void>;
  off: () => Promise<void>;
  fired: () => Promise<string[]>;
  remove: () => Promise<void>;
};

export const createSwitch = async (): Promise<Switch> => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-faults-'));
  const file = join(directory, 'switch');
  return {
    environment: (chances, seed) => ({
      ...preloading('armed-points.ts'),
      FAIL_POINTS: Object.entries(chances)
        .map(([name, chance]) => `${name}=${chance}`)
        .join(','),
      FAIL_SEED: String(seed),
      FAIL_SWITCH: file,
    }),
    on: () => writeFile(file, ''),
    off: () => rm(file, { force: true }),
    fired: async () => {
      const text = await readFile(firedFile(file), 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean);
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
};

/** Returns how often each point has fired, as in `relay.after_publish 3, mail.after_accept 5`. */
export const tally = (fired: string[]): string =>
  [...Map.groupBy(fired, (name) => name)].map(([name, all]) => `${name} ${all.length}`).join(', ') || 'none';
