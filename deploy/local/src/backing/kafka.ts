import { mkdir, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { messageOf } from '../host/errors.ts';
import type { Print } from '../host/print.ts';
import { runProgram } from '../waiting/run-program.ts';
import { startNativeServer } from './native-server.ts';
import type { Server } from './server.ts';

type KafkaOptions = {
  java: string;
  jars: string;
  directory: string;
  port: number;
  controllerPort: number;
  /** Further settings of the broker, which replace those with the same name, and options for the format of its storage. */
  more?: { settings: readonly string[]; format: readonly string[] };
  print: Print;
};

// ApiVersions v0, correlation id 1, no client id: the broker responds to it only as a member of its cluster.
const API_VERSIONS = Buffer.from('0000000a0012000000000001ffff', 'hex');

export const checkKafka = (port: number, host = '127.0.0.1'): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 2_000 });
    const end = (reason: string | null): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => socket.write(API_VERSIONS));
    socket.once('data', () => end(null));
    socket.once('error', (error) => end(messageOf(error)));
    socket.once('close', () => end('it closed the connection'));
    socket.once('timeout', () => end('no response to ApiVersions within 2 s'));
  });

const settings = ({ directory, port, controllerPort, more }: KafkaOptions): string =>
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
    'group.min.session.timeout.ms=1000', // of tests, which wait for the end of a session
    'log.retention.hours=168',
    'num.network.threads=2',
    'num.io.threads=4',
    // The map of keys of the log cleaner, which the broker allocates and clears at its start; the default is 128 MiB.
    'log.cleaner.dedupe.buffer.size=4194304',
    // By default an idle controller writes a record of metadata twice a second.
    'metadata.max.idle.interval.ms=0',
    ...(more?.settings ?? []),
  ].join('\n');

const kafkaClass = ({ jars }: KafkaOptions, name: string): string[] => ['-cp', join(jars, '*'), name];

const hasStorage = (directory: string): Promise<boolean> =>
  stat(join(directory, 'kafka', 'meta.properties')).then(
    () => true,
    () => false,
  );

const formatStorage = async (options: KafkaOptions, configuration: string): Promise<void> => {
  const { java, directory, print } = options;
  if (await hasStorage(directory)) return;
  // Kafka reads a value that begins with a dash as an option.
  const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
  const program = {
    name: 'the preparation of the storage of Kafka',
    command: java,
    args: [
      ...['-Xmx256m', '-XX:TieredStopAtLevel=1', ...kafkaClass(options, 'kafka.tools.StorageTool')],
      ...['format', '--standalone', '--cluster-id', clusterId, '--config', configuration],
      ...(options.more?.format ?? []),
    ],
    logFile: join(directory, 'kafka.log'),
  };
  await runProgram(program, { print });
};

/**
 * The serial collector has no threads that wake up while nothing happens, and its heap grows with use and shrinks again. The first
 * compiler alone takes two thirds of the processor time of a start.
 */
const JVM = [
  ...['-Xms32m', '-Xmx512m', '-Xmn8m', '-XX:+UseSerialGC'],
  ...['-XX:MinHeapFreeRatio=10', '-XX:MaxHeapFreeRatio=20', '-XX:TieredStopAtLevel=1'],
  '-XX:-UsePerfData', // counters for tools, sampled twenty times a second
];

export const startKafka = async (options: KafkaOptions): Promise<Server> => {
  const { java, directory, port, print } = options;
  await mkdir(directory, { recursive: true });
  const configuration = join(directory, 'kafka.properties');
  await writeFile(configuration, settings(options));
  await formatStorage(options, configuration);
  return startNativeServer({
    name: 'Kafka',
    command: java,
    args: [...JVM, ...kafkaClass(options, 'kafka.Kafka'), configuration],
    logFile: join(directory, 'kafka.log'),
    url: `127.0.0.1:${port}`,
    check: () => checkKafka(port),
    print,
  });
};
