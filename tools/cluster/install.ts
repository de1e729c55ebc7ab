import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@shortlist/local/host/config';
import {
  apply,
  deleteNamespace,
  deploymentsOf,
  kubectl,
  NAMESPACE,
  RELEASE,
  rolledOut,
  run,
} from './commands.ts';
import { applySecrets } from './secrets.ts';
import { KAFKA_PORT, type Target } from './target.ts';

const HERE = join(REPOSITORY, 'tools/cluster');
const INSTALL_SECONDS = 600;

const replaceAll = (text: string, values: Record<string, string>): string =>
  text.replace(/\$\(([A-Z_]+)\)/g, (_all, name: string) => values[name] ?? '');

/** Starts the databases, Redis, Kafka and the sandbox, in a namespace of their own that begins empty. */
export const startBacking = async (target: Target): Promise<void> => {
  await deleteNamespace(NAMESPACE);
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

type Installing = { namespace: string; files?: string[]; values: string[]; seconds?: number };

/** Installs or upgrades the chart and waits until every pod is ready. `values` are as `helm --set` has them, and override the files. */
export const upgradeChart = async (installing: Installing): Promise<void> => {
  const { namespace, files = [], values, seconds = INSTALL_SECONDS } = installing;
  const args = [
    ...[RELEASE, join(REPOSITORY, 'deploy/k8s'), '--namespace', namespace, '--create-namespace'],
    ...files.flatMap((file) => ['-f', file]),
    ...['--wait', '--timeout', `${seconds}s`],
    ...values.flatMap((value) => ['--set', value]),
  ];
  await run('helm', ['upgrade', '--install', ...args], { timeoutMs: (seconds + 30) * 1000 });
};

/** `helm test`. */
export const testRelease = (namespace: string): Promise<string> =>
  run('helm', ['test', RELEASE, '--namespace', namespace]);

/** `upgradeChart` beside the backing services; `set` are further values. */
export const upgrade = (
  { prefix, publicUrl }: Target,
  { tag, set = [], seconds = INSTALL_SECONDS }: { tag: string; set?: string[]; seconds?: number },
): Promise<void> =>
  upgradeChart({
    namespace: NAMESPACE,
    files: [join(HERE, 'values.yaml')],
    values: [`image.prefix=${prefix}`, `image.tag=${tag}`, `settings.PUBLIC_URL=${publicUrl}`, ...set],
    seconds,
  });

/** Restarts every workload one pod at a time, as after a change of its Secret. */
export const restartAll = async (): Promise<void> => {
  const names = await deploymentsOf('product');
  await kubectl(['rollout', 'restart', ...names.map((name) => `deployment/${name}`)]);
  for (const name of names) await rolledOut(name);
};
