// make stripe-check [apply=yes]: checks the account at Stripe, or at the sandbox of the running product, and creates what it lacks.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment } from './host/config.ts';
import { print, printError } from './host/print.ts';
import { REPOSITORY } from './state/local-files.ts';
import { planRunning } from './system/plan-running.ts';
import { usesSandbox } from './system/processes.ts';

const MISSING =
  'Set STRIPE_SECRET_KEY and PUBLIC_URL to check an account at Stripe, or run `make start` first to check its sandbox.';
const APPLY = 'apply=yes creates what is missing; leave apply out to check alone.';

/**
 * Returns this environment when it names an account and the address to check, otherwise that of the running billing, which may
 * poll events and need no webhook endpoint.
 */
const stripeEnvironment = async (): Promise<NodeJS.ProcessEnv | null> => {
  const env = environment();
  if (env.STRIPE_SECRET_KEY && env.PUBLIC_URL) return env;
  return (await planRunning('billing'))?.env ?? null;
};

const check = async (args: string[]): Promise<number> => {
  const env = await stripeEnvironment();
  if (env === null) {
    printError(MISSING);
    return 1;
  }
  print(usesSandbox(environment()) ? 'The local sandbox:' : 'The account of STRIPE_SECRET_KEY:');
  const script = join(REPOSITORY, 'services/billing/src/stripe-check.ts');
  return spawnSync(process.execPath, [script, ...args], { env, stdio: 'inherit' }).status ?? 1;
};

const main = async ([apply = '']: string[]): Promise<number> => {
  if (apply === '' || apply === 'yes') return check(apply === 'yes' ? ['--apply'] : []);
  printError(APPLY);
  return 2;
};

process.exitCode = await main(process.argv.slice(2));
