import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minutes } from '@shortlist/contracts/durations';
import { LOCAL_DIRECTORY, REPOSITORY } from '@shortlist/local/host/config';
import { WORKSPACES } from '@shortlist/local/system/processes';
import { eventPublicKey, readSecrets, type Secrets } from '@shortlist/local/host/secrets';
import {
  apply,
  deleteNamespace,
  deploymentsOf,
  type Forward,
  kubectl,
  NAMESPACE,
  RELEASE,
  rolledOut,
  run,
} from './kubernetes.ts';
import { applyMigrationSecrets, applySecrets } from './secrets.ts';

/** What is installed. */
export type Target = {
  secrets: Secrets;
  /** In front of the name of each image. */
  prefix: string;
  /** The images of the version under test, and of the one before it. */
  tag: string;
  oldTag: string;
  publicUrl: string;
  sandboxUrl: string;
  databaseAddress: string;
};

const HERE = join(REPOSITORY, 'tools/cluster');
const MANIFESTS = readFileSync(join(HERE, 'backing.yaml'), 'utf8');
const BACKING_IMAGES = Array.from(MANIFESTS.matchAll(/ image: ([a-z/]+:.+)/g), ([, image = '']) => image);
const REDIS_SERVERS = [
  { REDIS: 'redis-sessions', APPENDS: "'no'" },
  { REDIS: 'redis-queue', APPENDS: "'yes'" },
];
const BUILD_MS = minutes(20);
const INSTALL_SECONDS = 600;

const git = (...args: string[]): Promise<string> => run('git', ['-C', REPOSITORY, ...args]);

/**
 * The ports that lead to what `verify` reads, without the database, which has a port of the node: over a forward, all its connections wait for a
 * result that nobody reads yet.
 */
export const AUDITED = [
  { name: 'redis-sessions', port: 16_379, to: 6379 },
  { name: 'kafka', port: 19_094, to: 9094 },
] as const satisfies readonly Forward[];

/**
 * Reads the settings of the test: CLUSTER_ADDRESS (of a node, as this machine reaches it), IMAGE_PREFIX, IMAGE_TAG and OLD_IMAGE_TAG of
 * images that the cluster has. `from` is the commit of the old version.
 */
export const readTarget = async (env: NodeJS.ProcessEnv, from: string): Promise<Target> => {
  const path = 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}';
  const address = env.CLUSTER_ADDRESS || (await run('kubectl', ['get', 'nodes', '-o', path])).trim();
  const commit = (await git('rev-parse', '--short', from)).trim();
  const directory = join(LOCAL_DIRECTORY, 'cluster');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    secrets: await readSecrets(join(directory, 'secrets.env')),
    prefix: env.IMAGE_PREFIX || 'shortlist-',
    tag: env.IMAGE_TAG || 'test-new',
    oldTag: env.OLD_IMAGE_TAG || `test-${commit}`,
    publicUrl: `http://${address}:30000`,
    sandboxUrl: `http://${address}:30010`,
    databaseAddress: `${address}:30306`,
  };
};

const namesOf = (images: readonly Image[], prefix: string, tag: string): string[] =>
  images.map(({ name }) => `${prefix}${name}:${tag}`);

type Image = { name: string; stage: 'service' | 'bff' | 'backup'; workspace: string };

const PROCESSES = Object.entries(WORKSPACES).map(([name, workspace]): Image => ({
  name,
  stage: name === 'bff' ? 'bff' : 'service',
  workspace,
}));
const BACKUP: Image = { name: 'backup', stage: 'backup', workspace: 'deploy/backup' };

/** Builds images of a source tree. */
const build = async (
  images: readonly Image[],
  { prefix, tag, root }: { prefix: string; tag: string; root: string },
): Promise<void> => {
  for (const { name, stage, workspace } of images) {
    const args = ['build', '-q', '-f', join(root, 'deploy/Dockerfile'), '--target', stage];
    const image = ['--build-arg', `WORKSPACE=${workspace}`, '-t', `${prefix}${name}:${tag}`];
    await run('docker', [...args, ...image, root], { timeoutMs: BUILD_MS });
  }
};

/** Builds the images of another commit, in a worktree of its own. */
const buildCommit = async ({ prefix, oldTag: tag }: Target, commit: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'shortlist-old-'));
  try {
    await git('worktree', 'add', '--detach', folder, commit);
    await build(PROCESSES, { prefix, tag, root: folder });
  } finally {
    await git('worktree', 'remove', '--force', folder);
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Builds the images of this source tree and of the commit `from`, and brings them into the cluster with the command `load`. With an
 * empty command the images must be there already.
 */
export const provideImages = async (target: Target, from: string, load: string): Promise<void> => {
  if (load === '') return;
  const { prefix, tag, oldTag } = target;
  const present = [...PROCESSES, BACKUP];
  await build(present, { prefix, tag, root: REPOSITORY }); // what did not change is in the cache of the engine
  const old = namesOf(PROCESSES, prefix, oldTag);
  const hasOld = await run('docker', ['image', 'inspect', ...old]).catch(() => '');
  if (hasOld === '') await buildCommit(target, from);
  const [program = '', ...args] = load.split(' ');
  const images = [...BACKING_IMAGES, ...namesOf(present, prefix, tag), ...old];
  await run(program, [...args, ...images], { timeoutMs: BUILD_MS });
};

/** On the node. */
const dataFolder = `/var/tmp/shortlist-test-${Date.now()}`;

/** The values of the chart that turn backups on, into a folder of the node. `applyBackupSecrets` makes the Secrets. */
export const BACKUP_VALUES: readonly string[] = [
  'backup.enabled=true',
  'backup.secret=shortlist-backup',
  'backup.verify.secret=shortlist-backup-verify',
  'backup.volumes[0].name=store',
  `backup.volumes[0].hostPath.path=${dataFolder}/backups`,
  'backup.volumeMounts[0].name=store',
  'backup.volumeMounts[0].mountPath=/backups',
];

/** Starts the databases, Redis, Kafka and the sandbox, in a namespace of their own that begins empty. */
export const startBacking = async ({ prefix, tag, sandboxUrl, secrets }: Target): Promise<void> => {
  await deleteNamespace(NAMESPACE);
  await run('kubectl', ['create', 'namespace', NAMESPACE]);
  await run('kubectl', ['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/warn=restricted']);
  await applySecrets(secrets);
  await applyMigrationSecrets(secrets);
  const init = join(REPOSITORY, 'deploy/local/mariadb-init.sh');
  await kubectl(['create', 'configmap', 'mariadb-init', `--from-file=10-databases.sh=${init}`]);
  const values: Record<string, string> = {
    DATA: dataFolder,
    PREFIX: prefix,
    TAG: tag,
    SANDBOX_URL: sandboxUrl,
    KAFKA_PORT: String(AUDITED[1].port),
  };
  // The second time, only the second Redis server is new.
  for (const redis of REDIS_SERVERS) {
    Object.assign(values, redis);
    await apply(MANIFESTS.replace(/\$\(([A-Z_]+)\)/g, (_all, name: string) => values[name] ?? ''));
  }
  await rolledOut(...(await deploymentsOf('backing')));
};

export const testRelease = (): Promise<string> => run('helm', ['test', RELEASE, '--namespace', NAMESPACE]);

/** Installs or upgrades the chart and waits until every pod is ready. `set` are further values, as `helm --set` has them. */
export const upgrade = async (
  { prefix, publicUrl, secrets }: Target,
  { tag, set = [], seconds = INSTALL_SECONDS }: { tag: string; set?: string[]; seconds?: number },
): Promise<void> => {
  const release = ['upgrade', '--install', RELEASE, join(REPOSITORY, 'deploy/k8s')];
  const settings = ['-f', join(HERE, 'values.yaml')];
  const where = ['--namespace', NAMESPACE, '--wait', '--timeout', `${seconds}s`];
  const values = [
    `image.prefix=${prefix}`,
    `image.tag=${tag}`,
    `settings.PUBLIC_URL=${publicUrl}`,
    `settings.SENDGRID_WEBHOOK_PUBLIC_KEY=${eventPublicKey(secrets)}`,
    ...set,
  ];
  await run('helm', [...release, ...settings, ...where, ...values.flatMap((value) => ['--set', value])], {
    timeoutMs: (seconds + 30) * 1000,
  });
};

/** Restarts every workload one pod at a time, as after a change of its Secret. */
export const restartAll = async (): Promise<void> => {
  const names = await deploymentsOf('product');
  await kubectl(['rollout', 'restart', ...names.map((name) => `deployment/${name}`)]);
  await rolledOut(...names);
};
