import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../host/config.ts';
import type { Print } from '../host/messages.ts';
import { programPath } from '../host/programs.ts';
import { DOWNLOAD_LIMIT_MS, runProgram } from '../host/wait.ts';
import { checkReply, type Server, startNativeServer } from './server.ts';

export const KAFKA_VERSION = '4.1.0';
const POM = join(import.meta.dirname, '../../kafka/pom.xml');

const jarDirectory = (): string => join(cacheDirectory(), `kafka-${KAFKA_VERSION}`);

export const hasKafkaJars = (): boolean => existsSync(jarDirectory());

/** Returns the folder of Kafka's jars (43 MB); the first call downloads them for all clones of this user. */
const getKafkaJars = async (print: Print): Promise<string> => {
  const target = jarDirectory();
  if (hasKafkaJars()) return target;
  await mkdir(cacheDirectory(), { recursive: true });
  // Renamed when complete. Two downloads at a time have a folder each, and the first one that is complete stays.
  const draft = await mkdtemp(`${target}.draft-`);
  print(`Downloading Apache Kafka ${KAFKA_VERSION} with Maven (once) …`);
  const program = {
    name: `download of Apache Kafka ${KAFKA_VERSION} by Maven`,
    command: programPath('mvn'),
    args: [
      '--batch-mode',
      '-f',
      POM,
      `-Dkafka.version=${KAFKA_VERSION}`,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${draft}`,
      '-DincludeScope=runtime',
    ],
    logFile: join(cacheDirectory(), 'kafka-download.log'),
  };
  try {
    await runProgram(program, { print, limitMs: DOWNLOAD_LIMIT_MS });
    if (!hasKafkaJars()) await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
};

type KafkaOptions = {
  directory: string;
  port: number;
  controllerPort: number;
  /** Further settings of the broker, which replace those with the same name, and options for the format of its storage. */
  more?: { settings: readonly string[]; format: readonly string[] };
  print: Print;
};

// ApiVersions v0, correlation id 1, no client id: the broker responds to it only as a member of its cluster.
const API_VERSIONS = Buffer.from('0000000a0012000000000001ffff', 'hex');

export const checkKafka = (port: number): Promise<string | null> =>
  checkReply({ port, request: API_VERSIONS, reasonIn: () => null });

/** The settings of every broker on which the product is tried, also in containers. */
export const BROKER_SETTINGS = [
  'auto.create.topics.enable=false',
  'offsets.topic.replication.factor=1',
  'transaction.state.log.replication.factor=1',
  'transaction.state.log.min.isr=1',
  'group.initial.rebalance.delay.ms=0',
  'group.min.session.timeout.ms=1000', // of tests, which wait for the end of a session
  'log.retention.hours=168',
  // The map of keys of the log cleaner, which the broker allocates and clears at its start; the default is 128 MiB.
  'log.cleaner.dedupe.buffer.size=4194304',
  // By default an idle controller writes a record of metadata twice a second.
  'metadata.max.idle.interval.ms=0',
];

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
    ...BROKER_SETTINGS,
    // Less than for many machines.
    'offsets.topic.num.partitions=10',
    'num.network.threads=2',
    'num.io.threads=4',
    ...(more?.settings ?? []),
  ].join('\n');

// The serial collector has no threads that wake up while nothing happens, and its heap grows with use and shrinks again. The
// first compiler alone takes two thirds of the processor time of a start. The counters are for tools, sampled twenty times a second.
const JVM = [
  '-Xms32m',
  '-Xmx512m',
  '-Xmn8m',
  '-XX:+UseSerialGC',
  '-XX:MinHeapFreeRatio=10',
  '-XX:MaxHeapFreeRatio=20',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
];

export const startKafka = async (options: KafkaOptions): Promise<Server> => {
  const { directory, port, more, print } = options;
  await mkdir(directory, { recursive: true });
  const configuration = join(directory, 'kafka.properties');
  await writeFile(configuration, settings(options));
  const classPath = ['-cp', join(await getKafkaJars(print), '*')];
  const program = { command: programPath('java'), logFile: join(directory, 'kafka.log') };
  if (!existsSync(join(directory, 'kafka/meta.properties'))) {
    // Kafka reads a value that begins with a dash as an option.
    const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
    const format = ['format', '--standalone', '--cluster-id', clusterId, '--config', configuration];
    const args = [...classPath, 'kafka.tools.StorageTool', ...format, ...(more?.format ?? [])];
    await runProgram({ ...program, name: 'preparation of the storage of Kafka', args }, { print });
  }
  return startNativeServer({
    ...program,
    name: 'Kafka',
    args: [...JVM, ...classPath, 'kafka.Kafka', configuration],
    url: `127.0.0.1:${port}`,
    check: () => checkKafka(port),
    print,
  });
};
