// make stripe-inbox [replay=all|<event id>]: the provider's events that wait or have failed, and the way to work them off now.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from './local-files.ts';
import { planRunning } from './plan-running.ts';
import { complain } from './tell.ts';

const main = async ([replay = '']: string[]): Promise<number> => {
  const billing = await planRunning('billing');
  if (billing === null) {
    complain('Shortlist does not run from this folder; say `make start` first.');
    return 1;
  }
  const script = join(REPOSITORY, 'services/billing/src/stripe-inbox.ts');
  const words = replay === '' ? ['list'] : ['replay', replay];
  return spawnSync(process.execPath, [script, ...words], { env: billing.env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = await main(process.argv.slice(2));
