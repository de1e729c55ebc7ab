// make cluster-test: installs the chart into the cluster of KUBECONFIG and puts it through updates, kills and losses. One line each.
import { browse } from './browse.ts';
import { forwardedBacking, startForwards } from './forwards.ts';
import { provideImages } from './images.ts';
import { startBacking } from './install.ts';
import { INSTALLATION, type Parts, type Scenario, SCENARIOS } from './scenarios.ts';
import { readTarget } from './target.ts';

const { env } = process;
const [minutesText = '', fromText = '', only = ''] = process.argv.slice(2);

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;

const prepare = async (print: (line: string) => void): Promise<Parts> => {
  const from = fromText || 'HEAD';
  const target = await readTarget(env, from);
  const seed = Number(env.SEED) || Math.floor(Math.random() * 1e9);
  print(`seed ${seed}`);
  await provideImages(target, { from, load: env.CLUSTER_LOAD ?? '', print });
  await startBacking(target);
  print('backing    MariaDB, two Redis, Kafka and the sandbox are ready');
  const { publicUrl, sandboxUrl, secrets } = target;
  const admin = { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD };
  const product = { publicUrl, sandboxUrl, secrets, admin, backing: forwardedBacking(secrets) };
  return { target, product, seed, minutes: Number(minutesText) || 10 };
};

const isSelected = ({ name }: Scenario): boolean => only === '' || name.includes(only);

const main = async (): Promise<boolean> => {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const parts = await prepare(print);
  const attempt = async ({ name, run }: Scenario): Promise<boolean> => {
    const startedAt = performance.now();
    try {
      print(`ok    ${name}: ${await run(parts)} (${seconds(startedAt)})`);
      return true;
    } catch (error) {
      print(
        `FAIL  ${name}: ${error instanceof Error ? error.message : String(error)} (${seconds(startedAt)})`,
      );
      return false;
    }
  };
  const stopForwards = startForwards();
  process.once('SIGTERM', () => void stopForwards().then(() => process.exit(143)));
  let failed = 0;
  try {
    for (const scenario of [INSTALLATION, ...[browse, ...SCENARIOS].filter(isSelected)])
      if (!(await attempt(scenario))) failed += 1;
  } finally {
    await stopForwards();
  }
  print(failed === 0 ? 'the installation passed' : `${failed} failed`);
  return failed === 0;
};

process.exit((await main()) ? 0 : 1);
