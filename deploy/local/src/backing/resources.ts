import { mkdir, rm } from 'node:fs/promises';
import { runWhenOrphaned } from '../host/child.ts';
import { findFreePorts } from '../host/ports.ts';
import { makeTemporaryFolder } from '../host/temporary-folder.ts';
import { makeSecrets, type Secrets } from '../state/secrets.ts';

export type ResourceOptions = {
  /** The folder of data and logs. Without it: a temporary folder that `stop` removes. */
  directory?: string;
  /** Whether the temporary folder is in memory where there is room. */
  inMemory?: boolean;
  /** The first of five ports; without it five free ones. */
  portBase?: number;
  secrets?: Secrets;
  /** How long another program may still use a port. */
  portsLimitMs?: number;
};

/** The servers of a killed run may need a moment to end. */
const PORTS_LIMIT_MS = 3_000;

export type Resources = {
  directory: string;
  /** database, sessions, queue, Kafka, Kafka's controller */
  ports: readonly number[];
  portsLimitMs: number;
  secrets: Secrets;
  rootPassword: string;
  /** The name of the docker compose project. */
  project: string;
  /** Removes a temporary folder. */
  release(): Promise<void>;
};

const PORT_COUNT = 5;

export const portsFrom = (base: number): number[] =>
  Array.from({ length: PORT_COUNT }, (_, index) => base + index);

export const projectName = (portBase: number): string => `shortlist-${portBase}`;

type Folder = Pick<Resources, 'directory' | 'release'>;

const useTemporaryFolder = async (inMemory?: boolean): Promise<Folder> => {
  const directory = await makeTemporaryFolder('shortlist-', inMemory);
  // The guards of the servers act at the same moment and give them 15 seconds to end.
  const cancel = runWhenOrphaned('/bin/sh', ['-c', 'sleep 16; rm -rf "$1"', 'sh', directory]);
  const release = async (): Promise<void> => {
    cancel();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  return { directory, release };
};

const usePermanentFolder = async (directory: string): Promise<Folder> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return { directory, release: () => Promise.resolve() };
};

/** Reserves the folder, ports and secrets of the servers. */
export const allocateResources = async (options: ResourceOptions): Promise<Resources> => {
  const { directory, inMemory, portBase, secrets = makeSecrets(), portsLimitMs = PORTS_LIMIT_MS } = options;
  const ports = portBase === undefined ? await findFreePorts(PORT_COUNT) : portsFrom(portBase);
  const folder = await (directory === undefined
    ? useTemporaryFolder(inMemory)
    : usePermanentFolder(directory));
  const project = projectName(ports[0] ?? 0);
  return { ...folder, ports, portsLimitMs, secrets, rootPassword: secrets.DB_ROOT_PASSWORD, project };
};
