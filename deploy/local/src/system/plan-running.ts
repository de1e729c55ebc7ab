import { environment } from '../host/config.ts';
import { LOCAL_DIRECTORY, REPOSITORY, RUNNING_FILE, SECRETS_FILE } from '../state/local-files.ts';
import { findRunning } from '../state/pid-file.ts';
import { readSecrets } from '../state/secrets.ts';
import { auditEnvironment } from './audit-environment.ts';
import { databaseUrl } from './databases.ts';
import { type Deployment, planProcesses, type ProcessPlan, urlOf, usesSandbox } from './processes.ts';
import { BACKING_OFFSET, operatorPortsFromBase, portsFromBase, type ProcessName } from './system-ports.ts';

const findDeployment = async (): Promise<Deployment | null> => {
  const running = findRunning(RUNNING_FILE);
  if (!running) return null;
  const env = environment();
  const first = running.base + BACKING_OFFSET;
  const backing = {
    databaseAdminUrl: env.DATABASE_ADMIN_URL || `mysql://127.0.0.1:${first}`,
    sessionsRedisUrl: env.SESSIONS_REDIS_URL || `redis://127.0.0.1:${first + 1}`,
    queueRedisUrl: env.QUEUE_REDIS_URL || `redis://127.0.0.1:${first + 2}`,
    kafkaBrokers: env.KAFKA_BROKERS || `127.0.0.1:${first + 3}`,
  };
  const secrets = await readSecrets(SECRETS_FILE);
  const publicUrl = env.PUBLIC_URL || `http://localhost:${running.base}`;
  const folders = { root: REPOSITORY, directory: LOCAL_DIRECTORY };
  const ports = portsFromBase(running.base);
  const operatorPorts = operatorPortsFromBase(running.base);
  return { ...folders, ports, operatorPorts, publicUrl, secrets, backing, env };
};

/** Returns the program and environment that `make start` gave a process; null when nothing runs from this folder. */
export const planRunning = async (name: ProcessName): Promise<ProcessPlan | null> => {
  const deployment = await findDeployment();
  if (deployment === null) return null;
  return planProcesses(deployment).find((plan) => plan.name === name) ?? null;
};

/** Returns the environment in which the auditor reads every source of the running product; null when nothing runs. */
export const planAudit = async (): Promise<NodeJS.ProcessEnv | null> => {
  const deployment = await findDeployment();
  if (deployment === null) return null;
  const { backing, secrets, env } = deployment;
  const { databaseAdminUrl, kafkaBrokers, sessionsRedisUrl } = backing;
  const audited = auditEnvironment({
    databaseUrl: (owner) => databaseUrl(databaseAdminUrl, secrets, owner),
    kafkaBrokers,
    sessionsRedisUrl,
    stripeSecretKey: env.STRIPE_SECRET_KEY || secrets.STRIPE_SECRET_KEY,
    sandboxUrl: usesSandbox(env) ? urlOf(deployment, 'sandbox') : null,
  });
  return { ...env, ...audited };
};
