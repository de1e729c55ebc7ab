import { mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { type Child, type ChildCommand, runWhenOrphaned, startChild } from '../host/child.ts';
import { makeTemporaryFolder } from '../host/config.ts';
import { messageOf, type Print } from '../host/messages.ts';
import { findFreePorts } from '../host/ports.ts';
import { makeSecrets, type Secrets } from '../host/secrets.ts';
import { type ReadinessCheck, waitForReady } from '../host/wait.ts';

/** A kind of backing service. Redis comes as two servers: one for sessions, one for the queue. */
export type PartName = 'database' | 'redis' | 'kafka';

export type ServerControl = {
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server by SIGKILL, as a power cut does. */
  kill(): Promise<void>;
};

export type Server = ServerControl & { url: string };

export type ServerName = 'database' | 'redisSessions' | 'redisQueue' | 'kafka';
export type Servers = Partial<Record<ServerName, Server>>;

export const SERVERS_OF: Record<PartName, ServerName[]> = {
  database: ['database'],
  redis: ['redisSessions', 'redisQueue'],
  kafka: ['kafka'],
};

/** Servers that this process has started, and the function that stops all of them. */
export type StartedServers = { servers: Servers; stop(): Promise<void> };

export type ResourceOptions = {
  /** The folder of data and logs. Without it: a temporary folder that `stop` removes. */
  directory?: string;
  /** Whether the temporary folder is in memory where there is room. */
  inMemory?: boolean | undefined;
  /** The first of five ports. Without it: free ones, and containers lose their data when they stop. */
  portBase?: number | undefined;
  /** Whether the database server has a binary log, which backups need. By default, if the ports are given. */
  hasBinaryLog?: boolean | undefined;
  secrets?: Secrets;
};

export type Resources = {
  directory: string;
  /** database, sessions, queue, Kafka, Kafka's controller */
  ports: readonly number[];
  secrets: Secrets;
  /** Whether containers keep their data. */
  keepsData: boolean;
  hasBinaryLog: boolean;
  /** Removes a temporary folder. */
  release(): Promise<void>;
};

export const portsFrom = (base: number): number[] => [base, base + 1, base + 2, base + 3, base + 4];

/** Reserves the folder, ports and secrets of the servers. */
export const allocateResources = async (options: ResourceOptions): Promise<Resources> => {
  const { inMemory, portBase, secrets = makeSecrets() } = options;
  const ports = portBase === undefined ? await findFreePorts(5) : portsFrom(portBase);
  const keepsData = portBase !== undefined;
  const common = { ports, secrets, keepsData, hasBinaryLog: options.hasBinaryLog ?? keepsData };
  if (options.directory !== undefined) {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    return { ...common, directory: options.directory, release: () => Promise.resolve() };
  }
  const directory = await makeTemporaryFolder(inMemory);
  // The guards of the servers act at the same moment and give them 15 seconds to end.
  const cancel = runWhenOrphaned('/bin/sh', ['-c', 'sleep 16; rm -rf "$1"', 'sh', directory]);
  const release = async (): Promise<void> => {
    cancel();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  return { ...common, directory, release };
};

/** The servers to start, and with what. */
export type ServersRequest = { parts: readonly PartName[]; resources: Resources; print: Print };

type ReplyCheck = {
  port: number;
  request: string | Buffer;
  /** Returns null for the reply of a server that is ready, otherwise the reason. */
  reasonIn: (reply: string) => string | null;
};

/** Sends one request to a server and returns null when its reply says that it is ready, otherwise the reason. */
export const checkReply = ({ port, request, reasonIn }: ReplyCheck): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const end = (reason: string | null): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => socket.write(request));
    socket.once('data', (reply) => end(reasonIn(reply.toString())));
    socket.once('error', (error) => end(messageOf(error)));
    socket.once('close', () => end('it closed the connection'));
    socket.once('timeout', () => end('no reply within 2 s'));
  });

type NativeServer = ChildCommand & { name: string; url: string; check: ReadinessCheck; print: Print };

/** Starts a server as a child of this process and waits until it is ready; on failure nothing is left running. */
export const startNativeServer = async (server: NativeServer): Promise<Server> => {
  const { name, check, print } = server;
  let child: Child | null = null;
  const start = async (): Promise<void> => {
    if (child && child.exit() === null) return;
    const started = startChild(server);
    child = started;
    try {
      await waitForReady([{ name, check, child: started }], { print });
    } catch (error) {
      await started.stop(2_000);
      throw error;
    }
  };
  await start();
  return {
    url: server.url,
    start,
    stop: async () => child?.stop(),
    kill: async () => {
      child?.kill('SIGKILL');
      await child?.exited;
    },
  };
};
