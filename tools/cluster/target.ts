import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIRECTORY, REPOSITORY } from '@shortlist/local/host/config';
import { readSecrets, type Secrets } from '@shortlist/local/host/secrets';
import { run } from './commands.ts';

/** The cluster and what is installed into it. */
export type Target = {
  /** Folder of the secrets, and of what the test prints. */
  directory: string;
  secrets: Secrets;
  /** In front of the name of each image. */
  prefix: string;
  /** The images of the version under test, and of the one before it. */
  tag: string;
  oldTag: string;
  publicUrl: string;
  sandboxUrl: string;
  /** Folder on the node for the data of the databases. */
  data: string;
};

/** The port of this machine that leads to the auditor's listener of Kafka. */
export const KAFKA_PORT = 19_094;

const nodeAddress = async (): Promise<string> => {
  const path = 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}';
  return (await run('kubectl', ['get', 'nodes', '-o', path])).trim();
};

const shortHash = async (commit: string): Promise<string> =>
  (await run('git', ['rev-parse', '--short', commit], { cwd: REPOSITORY })).trim();

/**
 * Reads the settings of the test: KUBECONFIG, CLUSTER_ADDRESS (of a node, as this machine reaches it), IMAGE_PREFIX, IMAGE_TAG and
 * OLD_IMAGE_TAG of images that the cluster has. `from` is the commit of the old version.
 */
export const readTarget = async (env: NodeJS.ProcessEnv, from: string): Promise<Target> => {
  const address = env.CLUSTER_ADDRESS || (await nodeAddress());
  const directory = join(LOCAL_DIRECTORY, 'cluster');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const tag = env.IMAGE_TAG || 'test-new';
  return {
    directory,
    secrets: await readSecrets(join(directory, 'secrets.env')),
    prefix: env.IMAGE_PREFIX || 'shortlist-',
    tag,
    oldTag: env.OLD_IMAGE_TAG || `test-${await shortHash(from)}`,
    publicUrl: `http://${address}:30000`,
    sandboxUrl: `http://${address}:30010`,
    data: `/var/tmp/shortlist-test-${Date.now()}`,
  };
};
