import { environment } from '../host/config.ts';
import { LOCAL_DIRECTORY, REPOSITORY, RUNNING_FILE, SECRETS_FILE } from '../state/local-files.ts';
import { findRunning } from '../state/pid-file.ts';
import { readSecrets } from '../state/secrets.ts';
import { planProcesses, type ProcessPlan } from './processes.ts';
import { BACKING_OFFSET, operatorPortsFromBase, portsFromBase, type ProcessName } from './system-ports.ts';

/** Returns the program and environment that `make start` gave a process; null when nothing runs from this folder. */
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
  const folders = { root: REPOSITORY, directory: LOCAL_DIRECTORY };
  const ports = portsFromBase(running.base);
  const operatorPorts = operatorPortsFromBase(running.base);
  const plans = planProcesses({ ...folders, ports, operatorPorts, publicUrl, secrets, backing, env });
  return plans.find((plan) => plan.name === name) ?? null;
};
