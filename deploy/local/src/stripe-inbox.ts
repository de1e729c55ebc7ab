// make stripe-inbox [replay=all|<event id>]: lists Stripe's events that are unprocessed or failed, or processes them now.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { printError } from './host/print.ts';
import { REPOSITORY } from './state/local-files.ts';
import { planRunning } from './system/plan-running.ts';

const main = async ([replay = '']: string[]): Promise<number> => {
  const billing = await planRunning('billing');
  if (billing === null) {
    printError('Shortlist is not running from this folder; run `make start` first.');
    return 1;
  }
  const script = join(REPOSITORY, 'services/billing/src/stripe-inbox.ts');
  const args = replay === '' ? ['list'] : ['replay', replay];
  return spawnSync(process.execPath, [script, ...args], { env: billing.env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = await main(process.argv.slice(2));
