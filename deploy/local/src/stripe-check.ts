// make stripe-check [apply=yes]: checks the account at Stripe, or at the sandbox of the running product, and creates what it lacks.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment } from './host/config.ts';
import { printError } from './host/print.ts';
import { REPOSITORY } from './state/local-files.ts';
import { planRunning } from './system/plan-running.ts';

const MISSING =
  'Set STRIPE_SECRET_KEY and PUBLIC_URL to check an account at Stripe, or run `make start` first to check its sandbox.';

/** Returns the environment of the running billing, or this one's when it names an account. */
const stripeEnvironment = async (): Promise<NodeJS.ProcessEnv | null> => {
  const billing = await planRunning('billing');
  if (billing) return billing.env;
  const env = environment();
  return env.STRIPE_SECRET_KEY && env.PUBLIC_URL ? env : null;
};

const main = async ([apply = '']: string[]): Promise<number> => {
  const env = await stripeEnvironment();
  if (env === null) {
    printError(MISSING);
    return 1;
  }
  const script = join(REPOSITORY, 'services/billing/src/stripe-check.ts');
  const args = apply === '' ? [] : ['--apply'];
  return spawnSync(process.execPath, [script, ...args], { env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = await main(process.argv.slice(2));
