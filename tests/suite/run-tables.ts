import type { Usage } from './processor-time.ts';
import type { TimedFile } from './timed-files.ts';

const SLOWEST = 10;

export type StepResult = { name: string; passed: number; failed: number; usage: Usage; files: TimedFile[] };

const row = (...cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;

const table = (heading: readonly string[], rows: readonly string[]): string[] => [
  row(...heading),
  row(...heading.map(() => '---')),
  ...rows,
];

const seconds = (value: number): string => value.toFixed(1);

const sumOf = (results: readonly StepResult[]): StepResult => ({
  name: 'all',
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failed: results.reduce((sum, { failed }) => sum + failed, 0),
  usage: {
    wallSeconds: results.reduce((sum, { usage }) => sum + usage.wallSeconds, 0),
    processorSeconds: results.reduce((sum, { usage }) => sum + usage.processorSeconds, 0),
    shareOfChildren: 1,
  },
  files: [],
});

const stepRows = (results: readonly StepResult[]): string[] =>
  [...results, sumOf(results)].map(({ name, passed, failed, usage }) =>
    row(name, seconds(usage.wallSeconds), seconds(usage.processorSeconds), passed, failed),
  );

const slowestFiles = ({ name, files }: StepResult): string[] => {
  if (files.length === 0) return [];
  const rows = files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map((file) => row(seconds(file.seconds), file.tests, file.path, seconds(file.slowestTest.seconds)));
  return ['', ...table(['s', 'tests', `slowest files of ${name}`, 'slowest test, s'], rows)];
};

/** Returns the tables of a run: each step with its times, and the slowest files. */
export const renderRun = (results: readonly StepResult[]): string =>
  [
    ...table(['step', 'wall, s', 'processor, s', 'passed', 'failed'], stepRows(results)),
    ...results.flatMap(slowestFiles),
  ].join('\n');
