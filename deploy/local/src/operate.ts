// make dead, stripe-inbox, stripe-check, admin and audit: the operator program, with the environment of the running product.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment } from './host/config.ts';
import { print, printError } from './host/print.ts';
import { REPOSITORY } from './state/local-files.ts';
import { planAudit, planRunning } from './system/plan-running.ts';
import { IMAGES, type ImageName, operatorScript, usesSandbox } from './system/processes.ts';

const NOT_RUNNING =
  'Shortlist is not running from this folder. Run `make start` first, or set the variables of the process to reach another installation.';

/** An account at Stripe can be checked before anything runs, and while the product uses its sandbox. */
const namesAccount = (env: NodeJS.ProcessEnv): boolean => Boolean(env.STRIPE_SECRET_KEY && env.PUBLIC_URL);

const runningEnvironment = async (name: ImageName, command = ''): Promise<NodeJS.ProcessEnv | null> => {
  if (command === 'audit') return planAudit();
  return (await planRunning(name))?.env ?? null;
};

/** Variables by which this environment can reach another installation than the running one. */
const reaches = (env: NodeJS.ProcessEnv, command = ''): boolean => {
  if (command === 'dead') return Boolean(env.KAFKA_BROKERS);
  return command === 'stripe-check' && namesAccount(env);
};

const environmentFor = async (name: ImageName, command = ''): Promise<NodeJS.ProcessEnv | null> => {
  const env = environment();
  if (command === 'stripe-check') {
    print(usesSandbox(env) ? 'The local sandbox:' : 'The account of STRIPE_SECRET_KEY:');
    if (namesAccount(env)) return env;
  }
  const running = await runningEnvironment(name, command);
  if (running === null) return reaches(env, command) ? env : null;
  // Not inherited by processes.
  return { ...running, ...(env.ADMIN_PASSWORD ? { ADMIN_PASSWORD: env.ADMIN_PASSWORD } : {}) };
};

const isImage = (name: string): name is ImageName => (IMAGES as readonly string[]).includes(name);

const main = async ([name = '', ...args]: string[]): Promise<number> => {
  if (!isImage(name)) {
    printError(`Name the process: one of ${IMAGES.join(', ')}, as in: make dead s=credits`);
    return 2;
  }
  const env = await environmentFor(name, args[0]);
  if (env === null) {
    printError(NOT_RUNNING);
    return 1;
  }
  const script = join(REPOSITORY, operatorScript(name));
  // kafkajs computes negative times, of which Node warns.
  const flags = ['--disable-warning=TimeoutNegativeWarning'];
  return spawnSync(process.execPath, [...flags, script, ...args], { env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = await main(process.argv.slice(2));
