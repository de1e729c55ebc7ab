// The product under three loads of everyday actions beside what `make capacity` computes for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { HASH_SETTINGS } from '@shortlist/identity/passwords';
import { WITHOUT_LIMITS } from '@shortlist/local/system';
import { readUsages } from '../capacity/arguments.rules.ts';
import { busyCores, type Measured, peakRates } from '../capacity/capacity.rules.ts';
import { readMeasured } from '../capacity/measured.ts';
import {
  type EverydayAction,
  type EverydayActions,
  prepareEverydayActions,
  warmUp,
} from './everyday-actions.ts';
import { atConstantRate, type Print } from './measure.ts';
import { coresOf, openMeter } from './span.ts';
import { withSystem } from './surroundings.ts';

/** Numbers of users, whose peaks are the loads. The last one takes most of two slow cores. */
const LOADS = (process.env.USERS ?? '50000 150000 300000').split(' ');
const SECONDS = Number(process.env.SECONDS ?? 60);
const SELDOM = new Set<string>(['log-in', 'sign-up']);
const HASHES = 40;
const GOAL_SHARE = 0.25;

type Runs = Record<EverydayAction, number>;

/** How often each everyday action runs while the load lasts. */
const runsOf = (users: string): Runs => {
  const [usage] = readUsages([`users=${users}`]);
  if (usage === undefined) throw new Error('no usage');
  const perSecond = peakRates(usage);
  const runs = (action: EverydayAction): number => Math.max(1, Math.round(perSecond[action] * SECONDS));
  return {
    'log-in': runs('log-in'),
    'sign-up': runs('sign-up'),
    'session check': runs('session check'),
    'reading the credits': runs('reading the credits'),
    charge: runs('charge'),
  };
};

/** Runs all actions at the same time, each at its constant rate. */
const runLoad = (actions: EverydayActions, runs: Runs): Promise<unknown> =>
  Promise.all(
    (Object.keys(runs) as EverydayAction[]).map((action) =>
      atConstantRate({ perSecond: runs[action] / SECONDS, seconds: SECONDS }, actions[action]),
    ),
  );

/** Returns the processor time of a hash, in ms, which tells whether the costs were measured on as fast a machine. */
const measureHash = async (): Promise<number> => {
  const password = 'a long enough one';
  const passwordHash = await hash(password, HASH_SETTINGS);
  const before = process.cpuUsage();
  for (let index = 0; index < HASHES; index += 1) await verify(passwordHash, password);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / HASHES;
};

/** Returns the cores of each process that the rules of `make capacity` compute for these runs. */
const computeCores = (
  runs: Runs,
  { seconds, processor }: { seconds: number; processor: Measured['processor'] },
): Map<string, number> => {
  const perSecond = Object.fromEntries(
    Object.entries(runs).map(([action, count]) => [action, count / seconds]),
  );
  const busy = busyCores(perSecond, processor);
  const names = new Set([...Object.keys(busy), ...Object.keys(processor.coresAtRest)]);
  return new Map([...names].map((name) => [name, (busy[name] ?? 0) + (processor.coresAtRest[name] ?? 0)]));
};

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

const lineOf = (name: string, measured: number, computed: number): string => {
  const [measuredText, computedText] = [measured, computed].map((cores) => cores.toFixed(3).padStart(7));
  return `  ${name.padEnd(10)} measured ${measuredText}   computed ${computedText}   ratio ${(computed / measured).toFixed(2)}`;
};

/** Compares the cores of each process under three loads with the computed ones. USERS (three numbers) and SECONDS can be set. */
export const benchCapacity = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    const { processor } = await readMeasured();
    const hashMs = await measureHash();
    print(
      `a hash takes ${hashMs.toFixed(1)} ms; ${processor.hashMs} ms when the costs were measured: if they differ, SAVE=yes make bench b=cost first`,
    );
    const actions = await prepareEverydayActions(system);
    for (const [name, act] of Object.entries(actions)) await warmUp(act, { isSeldom: SELDOM.has(name) });
    const meter = await openMeter(system);
    for (const users of LOADS) {
      const runs = runsOf(users);
      const span = await meter.measure(() => Promise.all([runLoad(actions, runs), sleep(SECONDS * 1_000)]));
      const measured = coresOf(span);
      const computed = computeCores(runs, { seconds: span.durationMs / 1_000, processor });
      print(
        `the peak of ${users} users: ${Object.entries(runs)
          .map(([name, count]) => `${count} × ${name}`)
          .join(', ')}`,
      );
      for (const [name, cores] of Object.entries(measured))
        print(lineOf(name, cores, computed.get(name) ?? 0));
      const [measuredSum, computedSum] = [sum(Object.values(measured)), sum(computed.values())];
      const isWithin = Math.abs(computedSum / measuredSum - 1) <= GOAL_SHARE;
      print(`${lineOf('all', measuredSum, computedSum)}   ${isWithin ? 'within' : 'not within'} 25 %`);
    }
    await meter.close();
  });
