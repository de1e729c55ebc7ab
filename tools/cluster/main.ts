// make cluster-test: installs the chart into a cluster and puts it through updates, kills and losses. One line each.
import { AUDITED, provideImages, readTarget, startBacking } from './install.ts';
import { NAMESPACE, startForwards } from './kubernetes.ts';
import { INSTALLATION, type Parts, type Scenario, SCENARIOS } from './scenarios.ts';

const { env } = process;
const [minutesText = '', fromText = '', only = ''] = process.argv.slice(2);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const prepare = async (): Promise<Parts> => {
  const from = fromText || 'HEAD';
  const both = await readTarget(env, from);
  // A scenario by itself does without the rolling update, so it begins with the version under test.
  const target = only === '' ? both : { ...both, oldTag: both.tag };
  const seed = Number(env.SEED) || Math.floor(Math.random() * 1e9);
  print(`seed ${seed}`);
  await provideImages(target, from, env.CLUSTER_LOAD ?? '');
  const { publicUrl, sandboxUrl, databaseAddress, secrets } = target;
  const admin = { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD };
  const [redis, kafka] = AUDITED;
  const backing = {
    databaseAdminUrl: `mysql://root:${secrets.DB_ROOT_PASSWORD}@${databaseAddress}`,
    sessionsRedisUrl: `redis://127.0.0.1:${redis.port}`,
    kafkaBrokers: `127.0.0.1:${kafka.port}`,
  };
  const product = { publicUrl, sandboxUrl, secrets, admin, backing };
  return { target, product, seed, minutes: Number(minutesText) || 10 };
};

/** Runs the scenarios one after the other and returns how many failed. */
const attemptAll = async (scenarios: Scenario[], parts: Parts): Promise<number> => {
  let failed = 0;
  for (const { name, run } of scenarios) {
    const startedAt = performance.now();
    const result = await run(parts).then(
      (measured) => `ok    ${name}: ${measured}`,
      (error: unknown) => {
        failed += 1;
        return `FAIL  ${name}: ${String(error)}`;
      },
    );
    print(`${result} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`);
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

const isSelected = ({ name }: Scenario): boolean => only.split(',').some((words) => name.includes(words));
const selected = SCENARIOS.filter(isSelected);
if (selected.length === 0) throw new Error(`no scenario has '${only}' in its name`);
const parts = await prepare();
const failed = await attemptInstalled(selected, parts);
print(failed === 0 ? 'the installation passed' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
