// make coverage: runs the unit and component tests and prints the covered branches of each package beside the recorded ones. Fails
// when a package has lost more than half a point; `record` writes suite/recorded-coverage.json.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { addUp, type BranchesByPackage, lossOf, percentages, renderCoverage } from './suite/coverage.ts';
import { ROOT } from './suite/steps.ts';

const RECORDED = join(ROOT, 'tests/suite/recorded-coverage.json');
const REPORTS = join(ROOT, 'node_modules/.cache/coverage');

const runTests = async (): Promise<number | null> => {
  const args = [
    'run',
    '--project=!mysql',
    '--reporter=dot',
    '--coverage',
    `--coverage.reportsDirectory=${REPORTS}`,
  ];
  const vitest = join(ROOT, 'node_modules/.bin/vitest');
  const child = spawn(vitest, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
};

const readCoverage = async (): Promise<BranchesByPackage> => {
  const text = await readFile(join(REPORTS, 'coverage-summary.json'), 'utf8');
  const { total: _, ...files } = JSON.parse(text) as Parameters<typeof addUp>[0];
  return addUp(Object.fromEntries(Object.entries(files).map(([path, file]) => [relative(ROOT, path), file])));
};

const code = await runTests();
const coverage = await readCoverage();
const recorded = new Map(
  Object.entries(JSON.parse(await readFile(RECORDED, 'utf8')) as Record<string, number>),
);
const table = renderCoverage(coverage, recorded);
const losses = lossOf(coverage, recorded);
if (process.argv.includes('record'))
  await writeFile(RECORDED, `${JSON.stringify(percentages(coverage), null, 2)}\n`);
process.stdout.write(`\n${table}\n\n${losses.map((loss) => `FAILED ${loss}\n`).join('')}`);
process.exitCode = code === 0 && losses.length === 0 ? 0 : 1;
