// What a span of time takes of the product: processor time, statements, events, and rows.
import type { System } from '@shortlist/local/system';
import { createUsageReader } from './processor-usage.ts';
import { type Counters, openWorkCounters } from './work-counters.ts';

export type Span = {
  durationMs: number;
  /** In ms by process and server. */
  processorMs: Counters;
  /** Statements, writes and so on. */
  work: Counters;
  /** Rows added, by table. */
  rows: Counters;
};

export type Meter = { measure: (act: () => Promise<unknown>) => Promise<Span>; close: () => Promise<void> };

const increase = (before: Counters, after: Counters): Counters =>
  new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));

export const openMeter = async (system: System): Promise<Meter> => {
  const readProcessor = createUsageReader(system);
  const { read: readWork, close } = await openWorkCounters(system);
  return {
    measure: async (act) => {
      // The processor time of reading the other counters stays outside.
      const workBefore = await readWork();
      const [processorBefore, startedAt] = [readProcessor(), performance.now()];
      await act();
      const [processorAfter, durationMs] = [readProcessor(), performance.now() - startedAt];
      const workAfter = await readWork();
      return {
        durationMs,
        processorMs: increase(processorBefore, processorAfter),
        work: increase(workBefore.work, workAfter.work),
        rows: increase(workBefore.rows, workAfter.rows),
      };
    },
    close,
  };
};

const lessIdle = (all: Counters, idle: Counters, share: number): Counters =>
  new Map([...all].map(([name, value]) => [name, value - (idle.get(name) ?? 0) * share]));

/** The product at rest does none of these, so what an idle span has of them is left from the action before. */
const NEVER_IDLE = ['events', 'eventBytes', 'stripeCalls'];

/** Returns a span without what the product does at rest in the same time. */
export const withoutIdle = (span: Span, idle: Span): Span => {
  const share = span.durationMs / idle.durationMs;
  const idleWork = new Map([...idle.work].filter(([name]) => !NEVER_IDLE.includes(name)));
  return {
    ...span,
    processorMs: lessIdle(span.processorMs, idle.processorMs, share),
    work: lessIdle(span.work, idleWork, share),
  };
};

/** Returns the counters of one of `count` runs, without those below `least`, rounded to the digits of `least`. */
export const ofOne = (counters: Counters, count: number, least: number): Record<string, number> => {
  const digits = Math.round(-Math.log10(least));
  return Object.fromEntries(
    [...counters]
      .map(([name, value]) => [name, Number((value / count).toFixed(digits))] as const)
      .filter(([, value]) => value >= least)
      .toSorted(([, one], [, other]) => other - one),
  );
};

/** Returns the cores that each process takes in a span. */
export const coresOf = ({ processorMs, durationMs }: Span): Record<string, number> =>
  ofOne(processorMs, durationMs, 0.0001);
