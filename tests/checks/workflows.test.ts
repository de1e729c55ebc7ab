import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT } from './rendered-chart.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = globSync('.github/workflows/*.yml', { cwd: ROOT });

type Step = { uses?: string; run?: string };
type Job = { uses?: string; steps?: Step[]; 'timeout-minutes'?: number };
const workflows = files.map(
  (file) =>
    parse(readFileSync(join(ROOT, file), 'utf8')) as { permissions: object; jobs: Record<string, Job> },
);
const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs));
const steps = jobs.flatMap((job) => job.steps ?? []);

it('actionlint finds nothing in the workflows', () => {
  expect(files.length).toBeGreaterThan(1);
  const report = execFileSync('actionlint', ['-no-color', '-shellcheck=', ...files], {
    cwd: ROOT,
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  expect(report).toBe('');
});

it('a workflow reads the repository by default, ends in time, and uses no action but the checkout', () => {
  for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' });
  for (const job of jobs.filter(({ uses }) => uses === undefined))
    expect(job['timeout-minutes']).toBeGreaterThan(0);
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.filter((action) => !/^actions\/checkout@/.test(action))).toEqual([]);
});

it('each step of a release is a command of .ci/release, which names them all', () => {
  expect(statSync(join(ROOT, '.ci/release')).mode & 0o111, 'it can be executed').toBe(0o111);
  const commands = steps.flatMap(({ run }) => /^\.ci\/release (\w+)$/.exec(run ?? '')?.[1] ?? []);
  const listed = readFileSync(join(ROOT, '.ci/release'), 'utf8').matchAll(/^# {3}\.ci\/release (\w+) /gm);
  expect(commands).toEqual(Array.from(listed, ([, command]) => command));
});
