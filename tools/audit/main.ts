// make audit: checks the invariants of the running product and prints each breach.
import { LOCAL_DIRECTORY, RUNNING_FILE, SECRETS_FILE } from '@shortlist/local/local-files';
import { BACKING_OFFSET, portsFromBase } from '@shortlist/local/system-ports';
import { findRunning } from '@shortlist/local/running-mark';
import { readSecrets } from '@shortlist/local/secrets';
import { audit } from './audit.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const main = async (): Promise<number> => {
  const running = findRunning(RUNNING_FILE);
  if (!running) {
    print(`Shortlist is not running from ${LOCAL_DIRECTORY}; run \`make start\` first`);
    return 1;
  }
  const { DB_ROOT_PASSWORD, STRIPE_SECRET_KEY } = await readSecrets(SECRETS_FILE);
  const port = running.base + BACKING_OFFSET;
  const breaches = await audit({
    databaseAdminUrl: process.env.DATABASE_ADMIN_URL ?? `mysql://root:${DB_ROOT_PASSWORD}@127.0.0.1:${port}`,
    sessionsRedisUrl: process.env.SESSIONS_REDIS_URL ?? `redis://127.0.0.1:${port + 1}`,
    kafkaBrokers: process.env.KAFKA_BROKERS ?? `127.0.0.1:${port + 3}`,
    sandboxUrl: `http://127.0.0.1:${portsFromBase(running.base).sandbox}`,
    stripeKey: STRIPE_SECRET_KEY,
  });
  for (const { invariant, detail } of breaches) print(`${invariant} ${detail}`);
  print(breaches.length === 0 ? 'every invariant holds' : `${breaches.length} breaches`);
  return breaches.length === 0 ? 0 : 1;
};

process.exit(await main());
