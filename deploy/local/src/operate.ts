// make dead, stripe-inbox, stripe-check, admin and verify: the operator program, with the environment of the running product.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment, REPOSITORY, SECRETS_FILE } from './host/config.ts';
import { print, printError } from './host/messages.ts';
import { findRunning } from './host/running.ts';
import { readSecrets } from './host/secrets.ts';
import {
  deploymentAt,
  verifyEnvironment,
  type Deployment,
  type ImageName,
  IMAGES,
  operatorScript,
  planProcess,
  urlOf,
  usesSandbox,
} from './system/processes.ts';

/** Returns what `make start` runs from this folder; null when nothing runs. */
const findDeployment = async (env: NodeJS.ProcessEnv): Promise<Deployment | null> => {
  const running = findRunning();
  return running ? deploymentAt(running.base, await readSecrets(SECRETS_FILE), env) : null;
};

const environmentOfVerify = (deployment: Deployment): NodeJS.ProcessEnv => {
  const { backing, secrets, env } = deployment;
  const sandboxUrl = usesSandbox(env) ? urlOf(deployment, 'sandbox') : null;
  const urls = { billing: urlOf(deployment, 'billing'), worker: urlOf(deployment, 'worker') };
  const stripeSecretKey = env.STRIPE_SECRET_KEY || secrets.STRIPE_SECRET_KEY;
  return { ...env, ...verifyEnvironment({ backing, secrets, stripeSecretKey, sandboxUrl, urls }) };
};

const findRunningEnvironment = async (
  env: NodeJS.ProcessEnv,
  name: ImageName,
  command?: string,
): Promise<NodeJS.ProcessEnv | null> => {
  const deployment = await findDeployment(env);
  if (deployment === null) return null;
  if (command === 'verify') return environmentOfVerify(deployment);
  const plan = planProcess(deployment, name);
  // Processes do not inherit it, but the command that creates an admin reads it.
  return env.ADMIN_PASSWORD ? { ...plan.env, ADMIN_PASSWORD: env.ADMIN_PASSWORD } : plan.env;
};

const environmentFor = async (name: ImageName, command?: string): Promise<NodeJS.ProcessEnv | null> => {
  const env = environment();
  if (command === 'stripe-check') {
    print(usesSandbox(env) ? 'The local sandbox:' : 'The account of STRIPE_SECRET_KEY:');
    // An account at Stripe can be checked before anything runs, and while the product uses its sandbox.
    if (env.STRIPE_SECRET_KEY && env.PUBLIC_URL) return env;
  }
  const running = await findRunningEnvironment(env, name, command);
  return running ?? (command === 'dead' && env.KAFKA_BROKERS ? env : null);
};

const isImage = (name: string): name is ImageName => (IMAGES as readonly string[]).includes(name);

const main = async ([name = '', ...args]: string[]): Promise<number> => {
  if (!isImage(name)) {
    printError(`Name the process: one of ${IMAGES.join(', ')}, as in: make dead s=credits`);
    return 2;
  }
  const env = await environmentFor(name, args[0]);
  if (env === null) {
    printError(
      'Shortlist is not running from this folder. Run `make start` first, or set the variables of the process to reach another installation.',
    );
    return 1;
  }
  const script = join(REPOSITORY, operatorScript(name));
  // kafkajs computes negative times, of which Node warns.
  const flags = ['--disable-warning=TimeoutNegativeWarning'];
  return spawnSync(process.execPath, [...flags, script, ...args], { env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = await main(process.argv.slice(2));
