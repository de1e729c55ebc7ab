// make seed n=1000000: fills the databases of the product that `make start` runs on this machine.
import { LOCAL_DIRECTORY, SECRETS_FILE } from '@shortlist/local/host/config';
import { BACKING_OFFSET } from '@shortlist/local/system/ports';
import { findRunning } from '@shortlist/local/host/running';
import { readSecrets } from '@shortlist/local/host/secrets';
import { seedDatabases } from '../../harness/seed-databases.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const findAdminUrl = async (): Promise<string | null> => {
  if (process.env.DATABASE_ADMIN_URL) return process.env.DATABASE_ADMIN_URL;
  const running = findRunning();
  if (!running) return null;
  const { DB_ROOT_PASSWORD } = await readSecrets(SECRETS_FILE);
  return `mysql://root:${DB_ROOT_PASSWORD}@127.0.0.1:${running.base + BACKING_OFFSET}`;
};

const main = async (): Promise<number> => {
  const count = Number(process.argv[2]);
  const adminUrl = await findAdminUrl();
  if (!Number.isInteger(count) || count < 1) {
    print('n is missing or invalid; example: make seed n=100000');
    return 2;
  }
  if (adminUrl === null) {
    print(`Shortlist is not running from ${LOCAL_DIRECTORY}; run \`make start\` first`);
    return 1;
  }
  await seedDatabases({ adminUrl, count, now: new Date(), print: print });
  return 0;
};

process.exitCode = await main();
