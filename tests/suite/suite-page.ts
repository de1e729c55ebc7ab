import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Usage } from './processor-time.ts';
import { ROOT } from './steps.ts';
import type { TimedFile } from './timed-files.ts';

const PAGE = join(ROOT, 'docs/suite.md');
const SLOWEST = 10;

export type StepResult = { name: string; passed: number; failed: number; usage: Usage; files: TimedFile[] };
/** A part of the page that a run replaces. */
type Section = 'run' | 'long run' | 'coverage';

const markers = (section: Section): [string, string] => [
  `<!-- ${section}: written by make -->`,
  `<!-- end of ${section} -->`,
];

const readPage = (): string => readFileSync(PAGE, 'utf8');

/** Returns the text of a part of the page. */
export const readSection = (section: Section): string => {
  const [begin, end] = markers(section);
  return readPage().split(begin)[1]?.split(end)[0] ?? '';
};

/** Returns the seconds of wall and of processor time by step of the recorded run. */
const readRecorded = (section: Section): Map<string, [string, string]> =>
  new Map(
    [...readSection(section).matchAll(/^\| ([a-z]+) \| ([\d.]+) \| ([\d.]+) \|/gm)].map(
      ([, name = '', wall = '', processor = '']) => [name, [wall, processor]],
    ),
  );

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

const stepRows = (results: readonly StepResult[], section: Section): string[] => {
  const recorded = readRecorded(section);
  return [...results, sumOf(results)].map(({ name, passed, failed, usage }) => {
    const [wall = '', processor = ''] = recorded.get(name) ?? [];
    return row(
      name,
      seconds(usage.wallSeconds),
      seconds(usage.processorSeconds),
      wall,
      processor,
      passed,
      failed,
    );
  });
};

const slowestFiles = ({ name, files }: StepResult): string[] => {
  if (files.length === 0) return [];
  const rows = files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map((file) => row(seconds(file.seconds), file.tests, file.path, seconds(file.slowestTest.seconds)));
  return ['', ...table(['s', 'tests', `slowest files of ${name}`, 'slowest test, s'], rows)];
};

/** Returns the tables of a run: each step beside the recorded run, and the slowest files. */
export const renderRun = (results: readonly StepResult[], section: Section): string =>
  [
    ...table(
      ['step', 'wall, s', 'processor, s', 'recorded wall', 'recorded processor', 'passed', 'failed'],
      stepRows(results, section),
    ),
    ...results.flatMap(slowestFiles),
  ].join('\n');

const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();

/** Returns what the figures of a run depend on. */
export const describeRun = (seed: string): string => {
  const memory = Math.round(totalmem() / 2 ** 30);
  const processor = cpus()[0]?.model ?? 'unknown processor';
  return [
    `Commit ${commit()}, seed ${seed}, Node ${process.version}, ${availableParallelism()} processors`,
    `(${processor}), ${memory} GiB, ${process.platform}.`,
  ].join(' ');
};

/** Puts the tables of a run into docs/suite.md. */
export const record = (section: Section, text: string): void => {
  const [begin, end] = markers(section);
  const page = readPage();
  const [before, after] = [page.split(begin)[0] ?? '', page.split(end)[1] ?? ''];
  writeFileSync(PAGE, `${before}${begin}\n\n${text}\n\n${end}${after}`);
};
