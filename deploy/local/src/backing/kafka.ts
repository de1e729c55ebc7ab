import { mkdir, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { StartFailure } from '../errors.ts';
import { lastLines, run } from '../programs.ts';
import { startNativePart } from './native-part.ts';
import type { Part } from './part.ts';

export type KafkaPlace = {
  java: string;
  jars: string;
  directory: string;
  port: number;
  controllerPort: number;
};

// ApiVersions v0, correlation id 1, no client id: the broker answers it only once it takes part in its cluster.
const API_VERSIONS = Buffer.from('0000000a0012000000000001ffff', 'hex');

export const kafkaAnswers = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 2_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => socket.write(API_VERSIONS));
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('timeout', () => end(false));
  });

const settings = ({ directory, port, controllerPort }: KafkaPlace): string =>
  [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.bootstrap.servers=127.0.0.1:${controllerPort}`,
    `listeners=BROKER://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=BROKER://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name=BROKER',
    'controller.listener.names=CONTROLLER',
    `log.dirs=${join(directory, 'kafka')}`,
    'auto.create.topics.enable=false',
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=10',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    'log.retention.hours=168',
    'num.network.threads=2',
    'num.io.threads=4',
  ].join('\n');

const kafkaClass = ({ jars }: KafkaPlace, name: string): string[] => ['-cp', join(jars, '*'), name];

const hasStorage = (directory: string): Promise<boolean> =>
  stat(join(directory, 'kafka', 'meta.properties')).then(
    () => true,
    () => false,
  );

const formatStorage = async (place: KafkaPlace, configuration: string): Promise<void> => {
  if (await hasStorage(place.directory)) return;
  // A value that begins with a dash would be read as an option.
  const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
  const result = await run(place.java, [
    ...['-Xmx256m', '-XX:TieredStopAtLevel=1', ...kafkaClass(place, 'kafka.tools.StorageTool')],
    ...['format', '--standalone', '--cluster-id', clusterId, '--config', configuration],
  ]);
  if (!result.ok) {
    throw new StartFailure(`Kafka could not prepare its storage:\n${lastLines(result.output, 8)}`);
  }
};

export const startKafka = async (place: KafkaPlace): Promise<Part> => {
  const { java, directory, port } = place;
  await mkdir(directory, { recursive: true });
  const configuration = join(directory, 'kafka.properties');
  await writeFile(configuration, settings(place));
  await formatStorage(place, configuration);
  return startNativePart({
    name: 'Kafka',
    command: java,
    args: ['-Xmx512m', ...kafkaClass(place, 'kafka.Kafka'), configuration],
    logFile: join(directory, 'kafka.log'),
    url: `127.0.0.1:${port}`,
    isReady: () => kafkaAnswers(port),
  });
};
