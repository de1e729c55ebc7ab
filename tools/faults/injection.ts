import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { firedFile } from '@shortlist/kit/testing/arm-fail-points';
import { NODE_FLAGS } from '@shortlist/local/system/processes';
import type { ProcessName } from '@shortlist/local/system/ports';

/** Every fail point of the sources, with the probability that a process dies at each pass, when all are armed. */
export const ALL_POINTS = {
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

export type FailPoint = keyof typeof ALL_POINTS;
export type Chances = Partial<Record<FailPoint, number>>;

/** The probability with one fail point armed: high enough to fire soon, low enough to reach every process that passes it. */
const ALONE = 0.2;
/** Points that only one process passes, and only after it has rejoined its group. */
const RARE: Chances = { 'mail.after_accept': 0.7 };

export const onlyPoint = (point: FailPoint): Chances => ({ [point]: RARE[point] ?? ALONE });

/** Changes processes from within: fail points that are switched on and off, and clocks of their own. */
export type Injection = {
  environment: (name: ProcessName) => Record<string, string>;
  switchOn: () => Promise<void>;
  switchOff: () => Promise<void>;
  /** The fail points that fired, in order. */
  fired: () => Promise<string[]>;
  /** Sets the offset of a process's clock; 0 is the real time. */
  shiftClock: (name: ProcessName, ms: number) => Promise<void>;
  remove: () => Promise<void>;
};

export const createInjection = async (chances: Chances, seed: number): Promise<Injection> => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-faults-'));
  const switchFile = join(directory, 'switch');
  const clockFile = (name: string): string => join(directory, `clock-${name}`);
  const preloaded = pathToFileURL(join(import.meta.dirname, 'preloaded.ts')).href;
  return {
    environment: (name) => ({
      NODE_OPTIONS: [...NODE_FLAGS, `--import=${preloaded}`].join(' '),
      FAIL_POINTS: Object.entries(chances)
        .map(([point, chance]) => `${point}=${chance}`)
        .join(','),
      FAIL_SEED: String(seed),
      FAIL_SWITCH: switchFile,
      CLOCK_FILE: clockFile(name),
    }),
    switchOn: () => writeFile(switchFile, ''),
    switchOff: () => rm(switchFile, { force: true }),
    fired: async () => {
      const text = await readFile(firedFile(switchFile), 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean);
    },
    shiftClock: async (name, ms) => {
      // Renamed when it is written, because the process may read the file at any moment.
      await writeFile(clockFile(`${name}.next`), String(ms));
      await rename(clockFile(`${name}.next`), clockFile(name));
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
};
