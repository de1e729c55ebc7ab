// What every process says of itself, with a database or without one.
import type { ProcessStatus, ServerDetails } from '@shortlist/contracts/api/status';
import type { Health } from './http/health.ts';
import type { createConsumptionReader } from './messaging/measure.ts';
import { withTimeout } from './process/clock.ts';

/** Shorter than the caller waits, so that it learns the rest. */
const PART_MS = 1_500;

/** A part of the status; null if it cannot be read in time. */
export const partOf = <T>(work: Promise<T>): Promise<T | null> =>
  withTimeout(work, PART_MS, () => new Error('timed out')).catch(() => null);

/** Reads the status of a consumer as a dependency and a part. */
export const readConsumption = async (read: ReturnType<typeof createConsumptionReader>) => {
  const consumption = await partOf(read());
  return { consumption, kafka: { name: 'kafka', isUp: consumption !== null, details: null } };
};

/** What describes a dependency, by its name. */
export type Descriptions = Readonly<Record<string, () => Promise<ServerDetails>>>;

export const readDependencies = async (
  { probe }: Health,
  descriptions: Descriptions,
): Promise<ProcessStatus['dependencies']> => {
  const described = Object.entries(descriptions).map(
    async ([name, describe]) => [name, await partOf(describe())] as const,
  );
  const [probed, details] = await Promise.all([probe(), Promise.all(described)]);
  const byName = new Map(details);
  return probed.map(([name, isUp]) => ({ name, isUp, details: byName.get(name) ?? null }));
};
