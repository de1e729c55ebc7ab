import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../host/cache-directory.ts';
import type { Print } from '../host/print.ts';
import { findProgram } from '../host/programs.ts';
import { withFileLock } from '../waiting/file-lock.ts';
import { DOWNLOAD_LIMITS, runProgram } from '../waiting/run-program.ts';

const KAFKA_VERSION = '4.1.0';
const POM = join(import.meta.dirname, '../../kafka/pom.xml');

const jarDirectory = (): string => join(cacheDirectory(), `kafka-${KAFKA_VERSION}`);

export const hasKafkaJars = (): boolean => existsSync(jarDirectory());

const download = async (target: string, print: Print): Promise<void> => {
  const draft = `${target}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  // Without --quiet, so that each downloaded file is a line in the log and counts as activity.
  const program = {
    name: `the download of Apache Kafka ${KAFKA_VERSION} by Maven`,
    command: findProgram('mvn') ?? 'mvn',
    args: [
      ...['--batch-mode', '-f', POM, `-Dkafka.version=${KAFKA_VERSION}`],
      ...['dependency:copy-dependencies', `-DoutputDirectory=${draft}`, '-DincludeScope=runtime'],
    ],
    logFile: join(cacheDirectory(), 'kafka-download.log'),
  };
  await runProgram(program, { print, limits: DOWNLOAD_LIMITS });
  await rename(draft, target);
};

/** Returns the folder of Kafka's jars (43 MB); the first call downloads them for all clones of this user. */
export const getKafkaJars = async (print: Print): Promise<string> => {
  const target = jarDirectory();
  if (hasKafkaJars()) return target;
  await withFileLock('kafka-jars', print, async () => {
    if (hasKafkaJars()) return;
    print(`Downloading Apache Kafka ${KAFKA_VERSION} with Maven (once) …`);
    await download(target, print);
  });
  return target;
};
