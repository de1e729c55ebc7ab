// How the benchmarks measure: calls at the highest rate by turns, or at a constant rate.
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';

export type Print = (line: string) => void;
type Round = { perSecond: number; p50: number; p99: number };
/** Something that is done as often as possible for some seconds. */
export type Subject = { name: string; measure: (seconds: number) => Promise<Round> };
export type Measured = { name: string; perSecond: number[]; p50: number; p99: number };

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** The length of a round. */
export const SECONDS = 4;
const WARM_UP_SECONDS = 2;
/** Longer than a round: a large upload through a slow server takes seconds. */
const TIMEOUT_SECONDS = 60;

/** Returns the percentile `share` (0 to 1) of the values by the nearest-rank method. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};
const median = (values: readonly number[]): number => percentile(values, 0.5);

export const describeTimes = (times: readonly number[]): string =>
  `p50 ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

/** The ratio of the 99th percentiles. */
export const ratioOfTimes = (times: readonly number[], baseline: readonly number[]): string =>
  (percentile(times, 0.99) / percentile(baseline, 0.99)).toFixed(2);

/** Returns how long the work takes, in ms. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Calls a function in loops, `atOnce` of them. */
export const calling = (name: string, atOnce: number, call: (index: number) => Promise<unknown>): Subject => {
  let index = 0;
  return {
    name,
    measure: async (seconds) => {
      const times: number[] = [];
      const end = performance.now() + seconds * 1_000;
      const loop = async (): Promise<void> => {
        while (performance.now() < end) times.push(await timed(() => call((index += 1))));
      };
      await Promise.all(Array.from({ length: atOnce }, loop));
      return {
        perSecond: times.length / seconds,
        p50: median(times),
        p99: percentile(times, 0.99),
      };
    },
  };
};

export type Load = {
  url: string;
  connections: number;
  headers?: Record<string, string>;
  /** Sent with POST. */
  body?: Buffer;
};

/** Sends one request after the other on each connection. Throws when a response is not 2xx. */
export const requesting = (name: string, { url, connections, headers, body }: Load): Subject => ({
  name,
  measure: async (seconds) => {
    const sent = body === undefined ? {} : { method: 'POST' as const, body };
    const result = await autocannon({
      url,
      connections,
      duration: seconds,
      timeout: TIMEOUT_SECONDS,
      ...(headers === undefined ? {} : { headers }),
      ...sent,
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
    return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
  },
});

/** Measures the subjects by turns, so that other work of the machine affects them alike. Times are medians of the rounds. */
export const measureInTurns = async (
  subjects: readonly Subject[],
  { rounds = ROUNDS, seconds = SECONDS }: { rounds?: number; seconds?: number } = {},
): Promise<Measured[]> => {
  for (const { measure } of subjects) await measure(WARM_UP_SECONDS);
  const results = subjects.map(({ name }) => ({ name, rounds: [] as Round[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { measure }] of subjects.entries())
      results[index]?.rounds.push(await measure(seconds));
  return results.map(({ name, rounds: all }) => ({
    name,
    perSecond: all.map(({ perSecond }) => perSecond),
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
  }));
};

export const rateOf = ({ perSecond }: Measured): number => median(perSecond);

/** Prints a line for each result, with its ratio to the first. */
export const printCompared = (print: Print, title: string, measured: readonly Measured[]): void => {
  print(title);
  const [baseline] = measured;
  for (const one of measured) {
    const { name, perSecond, p50, p99 } = one;
    const range = `${Math.min(...perSecond).toFixed(0)}–${Math.max(...perSecond).toFixed(0)}`;
    const ratio =
      baseline === undefined || one === baseline
        ? ''
        : `   ratio ${(rateOf(one) / rateOf(baseline)).toFixed(2)}`;
    const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    print(`  ${name.padEnd(34)} ${rateOf(one).toFixed(0).padStart(6)}/s (${range})   ${times}${ratio}`);
  }
};

/** Calls `send` at a constant rate, independent of the results, so that slow responses do not reduce the load. */
export const atConstantRate = async <T>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  send: (index: number) => Promise<T>,
): Promise<T[]> => {
  const results: Promise<T>[] = [];
  const count = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  while (results.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond));
    while (results.length < due) results.push(send(results.length));
    await sleep(1);
  }
  return Promise.all(results);
};
