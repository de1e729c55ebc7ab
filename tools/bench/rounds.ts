import { percentile } from './percentile.ts';

export type Subject = { name: string; run: (index: number) => Promise<unknown> };
export type Measured = { name: string; perSecond: number[]; p50: number; p99: number };

type Plan = { rounds: number; seconds: number; concurrency: number };

const runFor = async (
  subject: Subject,
  { seconds, concurrency }: Plan,
  from: number,
): Promise<{ done: number; times: number[] }> => {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  let index = from;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const startedAt = performance.now();
      index += 1;
      await subject.run(index);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { done: times.length / seconds, times };
};

/** Runs the subjects in turns, so that other load on the machine affects all of them alike. */
export const measureInTurns = async (subjects: Subject[], plan: Plan): Promise<Measured[]> => {
  const found = new Map(
    subjects.map(({ name }) => [name, { perSecond: [] as number[], times: [] as number[] }]),
  );
  let from = 0;
  for (const subject of subjects) await runFor(subject, { ...plan, seconds: 1 }, (from += 1_000_000)); // warm-up
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const subject of subjects) {
      const { done, times } = await runFor(subject, plan, (from += 1_000_000));
      found.get(subject.name)?.perSecond.push(done);
      found.get(subject.name)?.times.push(...times);
    }
  }
  return [...found].map(([name, { perSecond, times }]) => ({
    name,
    perSecond,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }));
};

const median = (values: readonly number[]): number => percentile(values, 0.5);

export const line = ({ name, perSecond, p50, p99 }: Measured): string =>
  `${name.padEnd(34)} ${median(perSecond).toFixed(0).padStart(6)}/s (${Math.min(...perSecond).toFixed(0)}–${Math.max(...perSecond).toFixed(0)})   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`;

export const ratio = (measured: Measured | undefined, baseline: Measured | undefined): string =>
  measured && baseline
    ? (median(measured.perSecond) / median(baseline.perSecond)).toFixed(2)
    : 'not measured';
