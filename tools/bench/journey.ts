import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { atConstantRate } from './constant-rate.ts';
import { hashing } from './hash-library.ts';
import { HASHES, type Step, STEPS, type Timed, travel } from './journey-steps.ts';
import { percentile } from './percentile.ts';
import { measureInTurns } from './rounds.ts';

const LIMIT_MS = 500;
const SECONDS = Number(process.env['SECONDS'] ?? 15);
const FIRST_RATE = 1;
const FACTOR = 1.25;
const TRIES = 2;
const HASHES_AT_ONCE = 8;

type Print = (text: string) => void;
type Times = Map<Step, number[]>;
type Stage = { times: Times; journeys: number; failures: string[] };

/** Without the limits of one network, since all journeys come from one, and without the code that is mailed to a new user. */
const ENVIRONMENT = { bff: { ...WITHOUT_LIMITS, REQUIRE_VERIFIED_EMAIL: 'nothing' } };

const runStage = async (system: System, perSecond: number): Promise<Stage> => {
  const times: Times = new Map(STEPS.map((step) => [step, []]));
  const timed: Timed = async (step, status, send) => {
    const startedAt = performance.now();
    const response = await send();
    times.get(step)?.push(performance.now() - startedAt);
    if (response.status !== status)
      throw new Error(`${step}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const failures: string[] = [];
  const journeys = await atConstantRate({ perSecond, seconds: SECONDS }, () =>
    travel(system, timed).catch((error: unknown) => void failures.push(String(error))),
  );
  return { times, journeys: journeys.length, failures };
};

const slowest = ({ times }: Stage): number =>
  Math.max(...[...times.values()].map((values) => percentile(values, 0.99)));

const describe = (perSecond: number, { times, journeys, failures }: Stage): string => {
  const steps = [...times].map(([step, values]) => `${step} ${percentile(values, 0.99).toFixed(0)}`);
  const failed = failures.length === 0 ? '' : `; ${failures.length} failed, the first: ${failures[0]}`;
  return `P16 ${perSecond.toFixed(1)}/s, ${journeys} journeys, p99 in ms: ${steps.join(', ')}${failed}`;
};

const passes = (stage: Stage): boolean => stage.failures.length === 0 && slowest(stage) < LIMIT_MS;

/** A second try, since other work of the machine can spoil the first. */
const sustains = async (system: System, rate: number, print: Print): Promise<boolean> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const stage = await runStage(system, rate);
    print(describe(rate, stage));
    if (passes(stage)) return true;
  }
  return false;
};

/** Raises the rate until a step is too slow or fails. Returns the highest rate before that, or 0. */
const findHighestRate = async (system: System, print: Print): Promise<number> => {
  let highest = 0;
  for (let rate = FIRST_RATE; await sustains(system, rate, print); rate *= FACTOR) highest = rate;
  return highest;
};

const measureHashes = async (): Promise<number> => {
  const [measured] = await measureInTurns([hashing()], {
    ...{ rounds: 3, seconds: 3, concurrency: HASHES_AT_ONCE },
  });
  return percentile(measured?.perSecond ?? [], 0.5);
};

/**
 * P16 Raises a constant rate of journeys against the whole product until the p99 of a step reaches 500 ms, and compares the highest
 * rate with what the hash library alone allows.
 */
export const benchJourney = async (print: Print): Promise<void> => {
  const system = await startSystem({ env: ENVIRONMENT });
  try {
    const budget = (await measureHashes()) / HASHES;
    const warmUp = await runStage(system, FIRST_RATE);
    if (warmUp.failures.length > 0) print(describe(FIRST_RATE, warmUp));
    const highest = await findHighestRate(system, print);
    print(`P16 highest rate ${highest.toFixed(1)} journeys/s`);
    print(
      `    the hash library alone ${budget.toFixed(1)} journeys/s; ratio ${(highest / budget).toFixed(2)}`,
    );
  } finally {
    await system.stop();
  }
};
