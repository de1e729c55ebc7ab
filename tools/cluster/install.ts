import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@shortlist/local/local-files';
import { apply, deploymentsOf, kubectl, NAMESPACE, RELEASE, rolledOut, run } from './commands.ts';
import { applySecrets } from './secrets.ts';
import { KAFKA_PORT, type Target } from './target.ts';

const HERE = join(REPOSITORY, 'tools/cluster');
const INSTALL_SECONDS = 600;

const replaceAll = (text: string, values: Record<string, string>): string =>
  text.replace(/\$\(([A-Z_]+)\)/g, (_all, name: string) => values[name] ?? '');

/** Starts the databases, Redis, Kafka and the sandbox, in a namespace of their own that begins empty. */
export const startBacking = async (target: Target): Promise<void> => {
  await run('kubectl', ['delete', 'namespace', NAMESPACE, '--ignore-not-found'], { timeoutMs: 300_000 });
  await run('kubectl', ['create', 'namespace', NAMESPACE]);
  await run('kubectl', ['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/warn=restricted']);
  await applySecrets(target);
  const init = await readFile(join(REPOSITORY, 'deploy/local/mariadb-init.sh'), 'utf8');
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mariadb-init' } };
  await apply(JSON.stringify({ ...config, data: { '10-databases.sh': init } }));
  const manifests = await readFile(join(HERE, 'backing.yaml'), 'utf8');
  await apply(
    replaceAll(manifests, {
      ...{ DATA: target.data, PREFIX: target.prefix, TAG: target.tag, SANDBOX_URL: target.sandboxUrl },
      KAFKA_PORT: String(KAFKA_PORT),
    }),
  );
  for (const name of await deploymentsOf('backing')) await rolledOut(name);
};

/** Installs or upgrades the chart and waits until every pod is ready. `set` are further values, as `helm --set` has them. */
export const upgrade = async (
  { prefix, publicUrl }: Target,
  { tag, set = [], seconds = INSTALL_SECONDS }: { tag: string; set?: string[]; seconds?: number },
): Promise<void> => {
  const values = [`image.prefix=${prefix}`, `image.tag=${tag}`, `settings.PUBLIC_URL=${publicUrl}`, ...set];
  const chart = [join(REPOSITORY, 'deploy/k8s'), '--namespace', NAMESPACE, '-f', join(HERE, 'values.yaml')];
  const limits = ['--wait', '--timeout', `${seconds}s`];
  await run(
    'helm',
    ['upgrade', '--install', RELEASE, ...chart, ...limits, ...values.flatMap((one) => ['--set', one])],
    {
      timeoutMs: (seconds + 30) * 1000,
    },
  );
};

/** Restarts every workload one pod at a time, as after a change of its Secret. */
export const restartAll = async (): Promise<void> => {
  const names = await deploymentsOf('product');
  await kubectl(['rollout', 'restart', ...names.map((name) => `deployment/${name}`)]);
  for (const name of names) await rolledOut(name);
};
