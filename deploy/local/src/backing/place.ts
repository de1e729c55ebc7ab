import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenOrphaned } from '../child.ts';
import { findFreePorts } from '../ports.ts';
import { makeSecrets, type Secrets } from '../secrets.ts';

export type PlaceOptions = {
  /** Where data and logs lie and stay. Without it: a temporary place that `stop` removes. */
  directory?: string;
  /** Five ports from here on; without it five free ones. */
  portBase?: number;
  secrets?: Secrets;
};

export type Place = {
  directory: string;
  /** database, sessions, queue, Kafka, Kafka's controller */
  ports: readonly number[];
  secrets: Secrets;
  rootPassword: string;
  project: string;
  forget(): Promise<void>;
};

const PORTS = 5;

export const portsFrom = (base: number): number[] =>
  Array.from({ length: PORTS }, (_, index) => base + index);

export const projectName = (portBase: number): string => `shortlist-${portBase}`;

const makeTemporary = async (): Promise<Pick<Place, 'directory' | 'forget'>> => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-'));
  // The wait lets the servers end first; they are told to at the same moment.
  const release = whenOrphaned('/bin/sh', ['-c', 'sleep 16; rm -rf "$1"', 'sh', directory]);
  const forget = async (): Promise<void> => {
    release();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  return { directory, forget };
};

const keep = async (directory: string): Promise<Pick<Place, 'directory' | 'forget'>> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return { directory, forget: () => Promise.resolve() };
};

/** Folder, ports and secrets of the servers. */
export const makePlace = async (options: PlaceOptions): Promise<Place> => {
  const { portBase, secrets = makeSecrets() } = options;
  const ports = portBase === undefined ? await findFreePorts(PORTS) : portsFrom(portBase);
  const folder = await (options.directory === undefined ? makeTemporary() : keep(options.directory));
  const project = projectName(ports[0] ?? 0);
  return { ...folder, ports, secrets, rootPassword: secrets.DB_ROOT_PASSWORD, project };
};
