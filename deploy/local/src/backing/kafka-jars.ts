import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../cache-directory.ts';
import { StartFailure } from '../errors.ts';
import { findProgram, lastLines, run } from '../programs.ts';
import type { Tell } from '../tell.ts';
import { withLock } from '../with-lock.ts';

const KAFKA_VERSION = '4.1.0';
const POM = join(import.meta.dirname, '../../kafka/pom.xml');

const jarDirectory = (): string => join(cacheDirectory(), `kafka-${KAFKA_VERSION}`);

export const kafkaJarsAreHere = (): boolean => existsSync(jarDirectory());

const download = async (target: string): Promise<void> => {
  const draft = `${target}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const result = await run(findProgram('mvn') ?? 'mvn', [
    ...['--batch-mode', '-q', '-f', POM, `-Dkafka.version=${KAFKA_VERSION}`],
    ...['dependency:copy-dependencies', `-DoutputDirectory=${draft}`, '-DincludeScope=runtime'],
  ]);
  if (!result.ok) {
    throw new StartFailure(
      `Maven could not fetch Apache Kafka ${KAFKA_VERSION}:\n${lastLines(result.output, 8)}`,
    );
  }
  await rename(draft, target);
};

/** The folder with Kafka's jars (43 MB), fetched once for all clones of this user. */
export const getKafkaJars = async (tell: Tell): Promise<string> => {
  const target = jarDirectory();
  if (kafkaJarsAreHere()) return target;
  await withLock('kafka-jars', async () => {
    if (kafkaJarsAreHere()) return;
    tell(`Fetching Apache Kafka ${KAFKA_VERSION} with Maven (once) …`);
    await download(target);
  });
  return target;
};
