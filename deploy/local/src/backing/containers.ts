import type { StartedTestContainer } from 'testcontainers';
import { whenOrphaned } from '../child.ts';
import { docker } from '../docker.ts';
import { StartFailure } from '../errors.ts';
import { waitUntil } from '../wait.ts';
import { kafkaAnswers } from './kafka.ts';
import { databaseAnswers } from './mariadb.ts';
import { SERVERS, type Part, type PartName, type Parts, type StartedParts } from './part.ts';
import { redisAnswers } from './redis.ts';

type Recipe = {
  image: string;
  inside: number;
  port: number;
  env?: Record<string, string>;
  command?: string[];
  url: string;
  isReady(): Promise<boolean>;
};

const LIMIT_MS = 120_000;

const untilReady = async ({ image, isReady }: Recipe): Promise<void> => {
  if (!(await waitUntil(isReady, { limitMs: LIMIT_MS })))
    throw new StartFailure(`${image} did not get ready.`);
};

const create = async ({
  image,
  inside,
  port,
  env = {},
  command = [],
}: Recipe): Promise<StartedTestContainer> => {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = new GenericContainer(image)
    // A port of our choice stays the same when a fault test stops and starts the container.
    .withExposedPorts({ container: inside, host: port })
    .withEnvironment(env)
    .withWaitStrategy(Wait.forListeningPorts());
  return (command.length > 0 ? container.withCommand(command) : container).start();
};

const startContainer = async (recipe: Recipe): Promise<Part & { remove(): Promise<void> }> => {
  const container = await create(recipe);
  const id = container.getId();
  const release = whenOrphaned('docker', ['rm', '--force', '--volumes', id]);
  const remove = async (): Promise<void> => {
    await container.stop({ removeVolumes: true });
    release();
  };
  await untilReady(recipe).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    url: recipe.url,
    stop: async () => void (await docker('stop', id)),
    kill: async () => void (await docker('kill', id)),
    start: async () => {
      await docker('start', id);
      await untilReady(recipe);
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
});

export type ContainerPlace = { ports: readonly number[]; rootPassword: string };

const recipes = ({ ports, rootPassword }: ContainerPlace): Record<keyof Parts, Recipe> => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0] = ports;
  const databaseUrl = `mysql://root:${rootPassword}@127.0.0.1:${database}`;
  const redis = (port: number, appendOnly: 'yes' | 'no'): Recipe => ({
    image: 'redis:7.2-bookworm',
    ...{ inside: 6379, port, url: `redis://127.0.0.1:${port}`, isReady: () => redisAnswers(port) },
    command: ['redis-server', '--maxmemory-policy', 'noeviction', '--appendonly', appendOnly],
  });
  return {
    database: {
      image: 'mariadb:10.11',
      ...{ inside: 3306, port: database, url: databaseUrl, isReady: () => databaseAnswers(databaseUrl) },
      env: { MARIADB_ROOT_PASSWORD: rootPassword },
      command: ['--character-set-server=utf8mb4', '--collation-server=utf8mb4_unicode_ci'],
    },
    redisSessions: redis(sessions, 'no'),
    redisQueue: redis(queue, 'yes'),
    kafka: {
      image: 'apache/kafka:4.1.0',
      ...{ inside: 9092, port: kafka, url: `127.0.0.1:${kafka}`, isReady: () => kafkaAnswers(kafka) },
      env: kafkaSettings(kafka),
    },
  };
};

/** Starts these parts as throw-away containers. All of them, or none is left running. */
export const startContainers = async (
  wanted: readonly PartName[],
  place: ContainerPlace,
): Promise<StartedParts> => {
  const recipe = recipes(place);
  const names = wanted.flatMap((name) => SERVERS[name]);
  const results = await Promise.allSettled(names.map((name) => startContainer(recipe[name])));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((part) => part.remove()));
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { parts: Object.fromEntries(names.map((name, index) => [name, started[index]])), stop };
};
