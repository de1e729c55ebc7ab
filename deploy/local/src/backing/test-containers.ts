import type { StartedTestContainer } from 'testcontainers';
import { runWhenOrphaned } from '../host/child.ts';
import type { Print } from '../host/print.ts';
import { type ReadinessCheck, waitForReady } from '../waiting/wait-for-ready.ts';
import { docker } from './docker.ts';
import { checkKafka } from './kafka.ts';
import { checkDatabase } from './mariadb.ts';
import { checkRedis } from './redis.ts';
import type { Resources } from './resources.ts';
import { type PartName, type Server, type ServerName, SERVERS_OF, type StartedServers } from './server.ts';

type ContainerSpec = {
  image: string;
  containerPort: number;
  port: number;
  env?: Record<string, string>;
  command?: string[];
  url: string;
  check: ReadinessCheck;
};

const createContainer = async (spec: ContainerSpec): Promise<StartedTestContainer> => {
  const { image, containerPort, port, env = {}, command = [] } = spec;
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = new GenericContainer(image)
    // A fixed host port stays the same when a fault test stops and starts the container.
    .withExposedPorts({ container: containerPort, host: port })
    .withEnvironment(env)
    .withWaitStrategy(Wait.forListeningPorts());
  return (command.length > 0 ? container.withCommand(command) : container).start();
};

const startContainer = async (
  spec: ContainerSpec,
  print: Print,
): Promise<Server & { remove(): Promise<void> }> => {
  const container = await createContainer(spec);
  const id = container.getId();
  const cancel = runWhenOrphaned('docker', ['rm', '--force', '--volumes', id]);
  const remove = async (): Promise<void> => {
    await container.stop({ removeVolumes: true });
    cancel();
  };
  const { image, check, url } = spec;
  const wait = (): Promise<void> => waitForReady([{ name: `the container of ${image}`, check }], { print });
  await wait().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    url,
    stop: async () => void (await docker('stop', id)),
    kill: async () => void (await docker('kill', id)),
    start: async () => {
      await docker('start', id);
      await wait();
    },
    remove,
  };
};

const kafkaSettings = (port: number): Record<string, string> => ({
  KAFKA_NODE_ID: '1',
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
  KAFKA_LISTENERS: 'BROKER://:9092,CONTROLLER://:9093',
  KAFKA_ADVERTISED_LISTENERS: `BROKER://127.0.0.1:${port}`,
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
  KAFKA_INTER_BROKER_LISTENER_NAME: 'BROKER',
  KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
  KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
});

const containerSpecs = ({ ports, rootPassword }: Resources): Record<ServerName, ContainerSpec> => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0] = ports;
  const databaseUrl = `mysql://root:${rootPassword}@127.0.0.1:${database}`;
  const redis = (port: number, appendOnly: 'yes' | 'no'): ContainerSpec => ({
    image: 'redis:7.2-bookworm',
    ...{ containerPort: 6379, port, url: `redis://127.0.0.1:${port}`, check: () => checkRedis(port) },
    command: ['redis-server', '--maxmemory-policy', 'noeviction', '--appendonly', appendOnly],
  });
  return {
    database: {
      image: 'mariadb:10.11',
      ...{ containerPort: 3306, port: database, url: databaseUrl, check: () => checkDatabase(databaseUrl) },
      env: { MARIADB_ROOT_PASSWORD: rootPassword },
      command: ['--character-set-server=utf8mb4', '--collation-server=utf8mb4_unicode_ci'],
    },
    redisSessions: redis(sessions, 'no'),
    redisQueue: redis(queue, 'yes'),
    kafka: {
      image: 'apache/kafka:4.1.0',
      ...{ containerPort: 9092, port: kafka, url: `127.0.0.1:${kafka}`, check: () => checkKafka(kafka) },
      env: kafkaSettings(kafka),
    },
  };
};

/** Starts these parts as disposable containers: all of them, or none is left running. */
export const startTestContainers = async (
  parts: readonly PartName[],
  resources: Resources,
  print: Print,
): Promise<StartedServers> => {
  const specs = containerSpecs(resources);
  const names = parts.flatMap((part) => SERVERS_OF[part]);
  const results = await Promise.allSettled(names.map((name) => startContainer(specs[name], print)));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.remove()));
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { servers: Object.fromEntries(names.map((name, index) => [name, started[index]])), stop };
};
