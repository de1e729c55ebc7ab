import { environment } from './config.ts';
import { LOCAL_DIRECTORY, REPOSITORY, RUNNING_FILE, SECRETS_FILE } from './local-files.ts';
import {
  BACKING_OFFSET,
  planProcesses,
  portsFromBase,
  type ProcessName,
  type ProcessPlan,
} from './processes.ts';
import { findRunning } from './running-mark.ts';
import { readSecrets } from './secrets.ts';

/** One process's program and environment as `make start` has given them; null while nothing runs from this folder. */
export const planRunning = async (name: ProcessName): Promise<ProcessPlan | null> => {
  const running = findRunning(RUNNING_FILE);
  if (!running) return null;
  const env = environment();
  const first = running.base + BACKING_OFFSET;
  const backing = {
    databaseAdminUrl: env.DATABASE_ADMIN_URL || `mysql://127.0.0.1:${first}`,
    kafkaBrokers: env.KAFKA_BROKERS || `127.0.0.1:${first + 3}`,
    sessionsRedisUrl: '',
    queueRedisUrl: '',
  };
  const secrets = await readSecrets(SECRETS_FILE);
  const publicUrl = env.PUBLIC_URL || `http://localhost:${running.base}`;
  const place = { root: REPOSITORY, directory: LOCAL_DIRECTORY, ports: portsFromBase(running.base) };
  const plans = planProcesses({ ...place, publicUrl, secrets, backing, env });
  return plans.find((plan) => plan.name === name) ?? null;
};
