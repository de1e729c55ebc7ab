// The servers that the product needs are described three times: for docker compose, for a cluster, and for `make start` without
// containers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROKER_SETTINGS, KAFKA_VERSION } from '@shortlist/local/backing/kafka';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

type Compose = {
  services: Record<string, { image?: string; environment?: Record<string, string | number> }>;
};
const { services } = parse(read('docker-compose.yml'), { merge: true }) as Compose;

type Container = { name: string; image: string; env?: { name: string; value: string }[] };
type Resource = { spec?: { template?: { spec?: { containers?: Container[] } } } };
const containers = parseAllDocuments(read('tools/cluster/backing.yaml'))
  .map((document) => document.toJS() as Resource)
  .flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);

it('the servers of docker compose and of a cluster have the same images', () => {
  const images = containers.map(({ image }) => image).filter((image) => !image.startsWith('$('));
  const backing = ['mariadb', 'redis-sessions', 'redis-queue', 'kafka'].map((name) => services[name]?.image);
  expect(new Set(images)).toEqual(new Set(backing));
  expect(services['kafka']?.image).toBe(`apache/kafka:${KAFKA_VERSION}`);
});

/** The settings that say where the broker listens, and what its machine gives it. */
const OF_ITS_MACHINE = /listener|voters|^(node\.id|process\.roles|log\.dirs|heap\.opts)$/;

/** The image makes settings of its variables: KAFKA_LOG_DIRS is log.dirs. */
const settingsOf = (variables: [string, string | number][]): Record<string, string> =>
  Object.fromEntries(
    variables
      .map(([name, value]) => [name.replace('KAFKA_', '').toLowerCase().replaceAll('_', '.'), String(value)])
      .filter(([name = '']) => !OF_ITS_MACHINE.test(name)),
  ) as Record<string, string>;

it('the three brokers have the same settings', () => {
  const native = Object.fromEntries(BROKER_SETTINGS.map((line) => line.split('=')));
  expect(settingsOf(Object.entries(services['kafka']?.environment ?? {}))).toEqual(native);
  const { env = [] } = containers.find(({ name }) => name === 'kafka') ?? {};
  expect(settingsOf(env.map(({ name, value }) => [name, value]))).toEqual(native);
});
