// make upgrade-test from=<tag or commit> [rounds=1] [seed=…] [only=tests|use]: whether that release and this source tree can run at once: the
// component tests of that release with the schema of this one, then an update to this one and back, in use.
import { runComponentTests } from './component-tests.ts';
import { prepareRelease } from './release.ts';
import { runUpgrade } from './upgrade.ts';

const [from = '', roundsText = '', seedText = '', only = ''] = process.argv.slice(2);
const seed = Number(seedText) || Math.floor(Math.random() * 1e9);
const rounds = Number(roundsText) || 1;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

print(`seed ${seed}`);
const old = await prepareRelease(from || 'HEAD', print);
const problems = [
  ...(only === 'use' ? [] : await runComponentTests(old, print)),
  ...(only === 'tests' ? [] : await runUpgrade({ old, seed, rounds, print })),
];
print(
  problems.length === 0
    ? `the update from ${old.commit} holds`
    : `${problems.length} problems (seed ${seed})`,
);
process.exit(problems.length === 0 ? 0 : 1);
