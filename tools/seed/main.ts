// make seed n=1000000: fills the databases of the product that `make start` runs on this machine.
import { LOCAL_DIRECTORY, RUNNING_FILE, SECRETS_FILE } from '@shortlist/local/local-files';
import { findRunning } from '@shortlist/local/pid-file';
import { readSecrets } from '@shortlist/local/secrets';
import { BACKING_OFFSET } from '@shortlist/local/system-ports';
import { seedDatabases } from './seed-databases.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const fail = (reason: string): never => {
  print(reason);
  process.exit(1);
};

const count = Number(process.argv[2]);
if (!Number.isInteger(count) || count < 1) fail('n is missing or invalid; example: make seed n=100000');
const running = findRunning(RUNNING_FILE);
if (!running) fail(`Shortlist is not running from ${LOCAL_DIRECTORY}; run \`make start\` first`);
else {
  const { DB_ROOT_PASSWORD } = await readSecrets(SECRETS_FILE);
  const adminUrl = `mysql://root:${DB_ROOT_PASSWORD}@127.0.0.1:${running.base + BACKING_OFFSET}`;
  await seedDatabases({ adminUrl, count, now: new Date(), print });
}
