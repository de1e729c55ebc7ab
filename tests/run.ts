// All that must be green: the static checks, the tests of every part, the browser journeys. `e2e` runs the journeys alone.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countCheck, countJourneys, countUnits, type Counted, type Outcome } from './count-results.ts';

const ROOT = join(import.meta.dirname, '..');

type Step = {
  name: string;
  command: readonly string[];
  count: (outcome: Outcome) => Counted;
};

const STEPS: readonly Step[] = [
  { name: 'check', command: ['node', 'tools/check/main.ts'], count: countCheck },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=dot', '--reporter=json', '--outputFile.json=<report>'],
    count: countUnits,
  },
  {
    name: 'journeys',
    command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter=list,json'],
    count: countJourneys,
  },
];

let running: ReturnType<typeof spawn> | null = null;
let ended = false;
// Whoever ends us ends what we started: each step is told, and tidies up behind itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    ended = true;
    running?.kill(signal);
  });
}

const execute = ({ command }: Step, report: string): Promise<number | null> => {
  const [program = '', ...args] = command.map((part) => part.replace('<report>', report));
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const { promise, resolve } = Promise.withResolvers<number | null>();
  running = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  running.once('error', () => resolve(null));
  running.once('close', resolve);
  return promise;
};

const readReport = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
};

const runStep = async (step: Step, directory: string): Promise<Counted> => {
  process.stdout.write(`\n== ${step.name}\n`);
  const file = join(directory, `${step.name}.json`);
  const code = await execute(step, file);
  const counted = step.count({ code, report: await readReport(file) });
  process.stdout.write(`${step.name}: ${counted.passed} passed, ${counted.failed} failed\n`);
  return counted;
};

const directory = await mkdtemp(join(tmpdir(), 'shortlist-results-'));
const steps = process.argv[2] === 'e2e' ? STEPS.filter(({ name }) => name === 'journeys') : STEPS;
const notes: string[] = [];
let passed = 0;
let failed = 0;
for (const step of steps) {
  if (ended) break;
  const counted = await runStep(step, directory);
  passed += counted.passed;
  failed += counted.failed;
  notes.push(...counted.notes.map((note) => `${step.name}: ${note}`));
}
await rm(directory, { recursive: true, force: true });
if (ended || passed === 0) failed = Math.max(failed, 1);
// Last, where whoever opens a long log looks first.
process.stdout.write(`\n${notes.map((note) => `${note}\n`).join('')}${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
