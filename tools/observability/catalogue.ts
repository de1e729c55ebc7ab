import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricDeclaration } from '@shortlist/kit/process/declared-metrics';
import { createMetrics } from '@shortlist/kit/process/metrics';

const ROOT = join(import.meta.dirname, '../..');
const KIT = 'services/kit/src/process/declared-metrics.ts';

export type CataloguedMetric = MetricDeclaration<string> & { processes: string };

const isDeclaration = (value: unknown): value is MetricDeclaration<string> =>
  typeof value === 'object' && value !== null && 'name' in value && 'help' in value && 'labels' in value;

const readFile = async (path: string): Promise<CataloguedMetric[]> => {
  const module = (await import(join(ROOT, path))) as Record<string, unknown>;
  const service = path.split('/').at(-3) ?? '';
  return Object.values(module)
    .filter(isDeclaration)
    .map((metric) => ({ ...metric, processes: metric.processes ?? service }));
};

/** Every metric that the processes declare: those of kit first, then those of each service. */
export const readCatalogue = async (): Promise<CataloguedMetric[]> => {
  const files = globSync('{bff,services/*}/src/metrics.ts', { cwd: ROOT }).toSorted();
  return (await Promise.all([KIT, ...files].map(readFile))).flat();
};

/** Labels that every series has: `service` from the process, the others from Prometheus. */
const COMMON = ['service', 'job', 'instance'];

const labelsByName = ({ name, type, labels }: CataloguedMetric): [string, readonly string[]][] =>
  type === 'histogram'
    ? [
        [`${name}_bucket`, [...labels, 'le']],
        [`${name}_sum`, labels],
        [`${name}_count`, labels],
      ]
    : [[name, labels]];

/** The series that Prometheus can have, each with its labels: declared metrics, those of Node.js and of the process, and `up`. */
export const readSeries = async (): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const declared = (await readCatalogue()).flatMap(labelsByName);
  const text = await createMetrics('any').text();
  const ofNode = [...text.matchAll(/^# TYPE ((?:nodejs|process)_\w+) (\w+)$/gm)].flatMap(
    ([, name = '', type = '']) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const series = new Map<string, ReadonlySet<string>>([['up', new Set(['job', 'instance'])]]);
  for (const name of ofNode) series.set(name, new Set([...COMMON, 'type', 'kind', 'space', 'le', 'version']));
  for (const [name, labels] of declared) series.set(name, new Set([...COMMON, ...labels]));
  return series;
};
