import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricDeclaration } from '@shortlist/kit/process/declared-metrics';

const ROOT = join(import.meta.dirname, '..');
const KIT = 'packages/kit/src/process/declared-metrics.ts';

export type Metric = MetricDeclaration<string> & { processes: string };

const isDeclaration = (value: unknown): value is MetricDeclaration<string> =>
  typeof value === 'object' && value !== null && 'name' in value && 'help' in value && 'labels' in value;

const readFile = async (path: string): Promise<Metric[]> => {
  const module = (await import(join(ROOT, path))) as Record<string, unknown>;
  const service = path.split('/').at(-3) ?? '';
  return Object.values(module)
    .filter(isDeclaration)
    .map((metric) => ({ ...metric, processes: metric.processes ?? service }));
};

/** Every metric that the processes declare: those of kit first, then those of each service. */
export const readMetrics = async (): Promise<Metric[]> => {
  const files = globSync('{bff,services/*}/src/metrics.ts', { cwd: ROOT }).toSorted();
  return (await Promise.all([KIT, ...files].map(readFile))).flat();
};
