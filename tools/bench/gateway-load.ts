import autocannon from 'autocannon';
import { percentile } from './percentile.ts';

/** Requests per second and p99 in ms of each round. */
type Result = { perSecond: number[]; p99: number[] };

/** Longer than a round: a large upload through a slow server takes seconds. */
const TIMEOUT_SECONDS = 60;

export type Load = {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** Sent with POST. */
  body?: Buffer;
  /** Every response must be this text. Comparing costs the generator time, so only a warm-up does. */
  expectBody?: string;
};

/** Sends one request after the other on each connection. Throws when a response is not 2xx, or not the expected one. */
export const measure = async ({
  url,
  connections,
  seconds,
  body,
  ...load
}: Load): Promise<[number, number]> => {
  const sent = body === undefined ? {} : { method: 'POST' as const, body };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    ...load,
    ...sent,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  if (result.mismatches > 0) throw new Error(`${url}: ${result.mismatches} responses had another body`);
  return [result.requests.average, result.latency.p99];
};

/** Measures the loads by turns, so that other work of the machine affects them alike. */
export const alternate = async <Name extends string>(
  loads: readonly (readonly [Name, Load])[],
  rounds: number,
): Promise<Map<Name, Result>> => {
  const results = new Map<Name, Result>(loads.map(([name]) => [name, { perSecond: [], p99: [] }]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, load] of loads) {
      const [rate, p99] = await measure(load);
      results.get(name)?.perSecond.push(rate);
      results.get(name)?.p99.push(p99);
    }
  return results;
};

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Prints the median and the range of each result, and its ratio to that of the thin server. */
export const report = (results: Map<string, Result>, print: (line: string) => void, bytes = 0): void => {
  const thin = median(results.get('thin')?.perSecond ?? []);
  for (const [name, { perSecond, p99 }] of results) {
    const rate = median(perSecond);
    const range = `${Math.min(...perSecond).toFixed(0)}–${Math.max(...perSecond).toFixed(0)}`;
    const throughput = bytes === 0 ? '' : `   ${((rate * bytes) / 1e6).toFixed(0)} MB/s`;
    print(
      `${name.padEnd(10)} ${rate.toFixed(0).padStart(6)}/s (${range})${throughput}   p99 ${median(p99).toFixed(0)} ms   of thin ${(rate / thin).toFixed(2)}`,
    );
  }
};
