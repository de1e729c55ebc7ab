import { createAdmin } from './admin.ts';
import { askSecretly } from './ask-secretly.ts';
import { environment } from './config.ts';
import { messageOf } from './errors.ts';
import { LOCAL_DIRECTORY, REPOSITORY, RUNNING_FILE, SECRETS_FILE } from './local-files.ts';
import { BACKING_OFFSET, planProcesses, portsFromBase, type ProcessPlan } from './processes.ts';
import { findRunning } from './running-mark.ts';
import { readSecrets } from './secrets.ts';
import { complain, tell } from './tell.ts';

const planIdentity = async (base: number): Promise<ProcessPlan | undefined> => {
  const env = environment();
  const first = base + BACKING_OFFSET;
  const backing = {
    databaseAdminUrl: env.DATABASE_ADMIN_URL || `mysql://127.0.0.1:${first}`,
    kafkaBrokers: env.KAFKA_BROKERS || `127.0.0.1:${first + 3}`,
    sessionsRedisUrl: '',
    queueRedisUrl: '',
  };
  const secrets = await readSecrets(SECRETS_FILE);
  const publicUrl = env.PUBLIC_URL || `http://localhost:${base}`;
  const place = { root: REPOSITORY, directory: LOCAL_DIRECTORY, ports: portsFromBase(base) };
  return planProcesses({ ...place, publicUrl, secrets, backing, env }).find(
    ({ name }) => name === 'identity',
  );
};

const makeAdmin = async (email: string): Promise<number> => {
  if (!email.includes('@')) {
    complain('Whose account? As in: make admin email=someone@example.org');
    return 2;
  }
  const running = findRunning(RUNNING_FILE);
  const identity = running && (await planIdentity(running.base));
  if (!identity) {
    complain('Shortlist does not run from this folder; say `make start` first.');
    return 1;
  }
  const password = environment().ADMIN_PASSWORD || (await askSecretly(`Password for ${email}: `));
  try {
    await createAdmin({ root: REPOSITORY, identity, email, password });
    tell(`${email} is an admin.`);
    return 0;
  } catch (error) {
    complain(messageOf(error));
    return 1;
  }
};

process.exit(await makeAdmin(process.argv[2] ?? ''));
