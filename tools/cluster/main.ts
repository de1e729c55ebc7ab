// make cluster-test: installs the chart into the cluster of KUBECONFIG and puts it through updates, kills and losses. One line each.
import { browse } from './browse.ts';
import { NAMESPACE } from './commands.ts';
import { AUDITED, forwardedBacking, startForwards } from './forwards.ts';
import { provideImages } from './images.ts';
import { startBacking } from './install.ts';
import { INSTALLATION, type Parts, type Scenario, SCENARIOS } from './scenarios.ts';
import { readTarget } from './target.ts';
import { TRIAL } from './trial.ts';

const { env } = process;
const [minutesText = '', fromText = '', only = ''] = process.argv.slice(2);

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const prepare = async (): Promise<Parts> => {
  const from = fromText || 'HEAD';
  const both = await readTarget(env, from);
  // A scenario by itself does without the rolling update, so it begins with the version under test.
  const target = only === '' ? both : { ...both, oldTag: both.tag };
  const seed = Number(env.SEED) || Math.floor(Math.random() * 1e9);
  print(`seed ${seed}`);
  await provideImages(target, { from, load: env.CLUSTER_LOAD ?? '', print });
  const { publicUrl, sandboxUrl, secrets } = target;
  const admin = { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD };
  const product = { publicUrl, sandboxUrl, secrets, admin, backing: forwardedBacking(secrets) };
  return { target, product, seed, minutes: Number(minutesText) || 10 };
};

const isSelected = ({ name }: Scenario): boolean => only === '' || name.includes(only);

/** Runs the scenarios one after the other and returns how many failed. */
const attemptAll = async (scenarios: Scenario[], parts: Parts): Promise<number> => {
  let failed = 0;
  for (const { name, run } of scenarios) {
    const startedAt = performance.now();
    try {
      print(`ok    ${name}: ${await run(parts)} (${seconds(startedAt)})`);
    } catch (error) {
      failed += 1;
      print(
        `FAIL  ${name}: ${error instanceof Error ? error.message : String(error)} (${seconds(startedAt)})`,
      );
    }
  }
  return failed;
};

const attemptInstalled = async (scenarios: Scenario[], parts: Parts): Promise<number> => {
  await startBacking(parts.target);
  print('backing    MariaDB, two Redis, Kafka and the sandbox are ready');
  const stopForwards = startForwards(NAMESPACE, AUDITED);
  process.once('SIGTERM', () => void stopForwards().then(() => process.exit(143)));
  try {
    return await attemptAll([INSTALLATION, ...scenarios], parts);
  } finally {
    await stopForwards();
  }
};

const main = async (): Promise<boolean> => {
  const trial = [TRIAL].filter(isSelected);
  const installed = [browse, ...SCENARIOS].filter(isSelected);
  if (trial.length + installed.length === 0) throw new Error(`no scenario has '${only}' in its name`);
  const parts = await prepare();
  let failed = await attemptAll(trial, parts);
  if (installed.length > 0) failed += await attemptInstalled(installed, parts);
  print(failed === 0 ? 'the installation passed' : `${failed} failed`);
  return failed === 0;
};

process.exit((await main()) ? 0 : 1);
