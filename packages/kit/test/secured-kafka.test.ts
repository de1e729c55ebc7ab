import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import kafkajs, { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readKafkaSettings } from '../src/messaging/kafka-settings.ts';
import { createKafka } from '../src/messaging/kafka.ts';
import type { Environment } from '../src/process/config.ts';
import { until } from '../src/testing/until.ts';
import { silent } from './notes-table.ts';
import { type SecuredKafka, startSecuredKafka } from './secured-kafka.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
const authorities = getCACertificates('default');
let directory: string;
let kafka: SecuredKafka;
let endpoint: Server;
let requests: { headers: IncomingHttpHeaders; body: string }[] = [];

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An unsigned token (RFC 7519, section 6.1), which the broker of this test accepts. */
const unsignedToken = (): string => {
  const now = Math.floor(Date.now() / 1_000);
  return `${part({ alg: 'none' })}.${part({ sub: 'ana', iat: now, exp: now + 3_600 })}.`;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secured-kafka-'));
  kafka = await startSecuredKafka(directory);
  endpoint = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ headers: request.headers, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: unsignedToken(), expires_in: 3_600 }));
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  setDefaultCACertificates([...authorities, kafka.authority]);
}, 180_000);
afterAll(async () => {
  setDefaultCACertificates(authorities);
  endpoint.close();
  await kafka.stop();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  requests = [];
});

const account = (): Environment => ({
  KAFKA_BROKERS: kafka.brokers,
  KAFKA_TLS: 'true',
  KAFKA_USERNAME: 'ana',
  KAFKA_PASSWORD: kafka.password,
});
const tokenUrl = (): string => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/token`;

/** Gives an account what a service needs. */
const allow = async (name: string, { topic, group }: { topic: string; group: string }): Promise<void> => {
  const sasl = { mechanism: 'plain', username: 'ana', password: kafka.password } as const;
  const admin = new Kafka({ brokers: [kafka.brokers], ssl: true, sasl, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const resources = [
    { resourceType: AclResourceTypes.TOPIC, resourceName: topic },
    { resourceType: AclResourceTypes.GROUP, resourceName: group },
  ];
  await admin.createAcls({
    acl: resources.map((resource) => ({
      ...resource,
      resourcePatternType: ResourcePatternTypes.LITERAL,
      principal: `User:${name}`,
      host: '*',
      operation: AclOperationTypes.ALL,
      permissionType: AclPermissionTypes.ALLOW,
    })),
  });
  await admin.disconnect();
};

const open = (env: Environment) =>
  createKafka({ settings: readKafkaSettings(env), clientId: 'test', log: silent });

describe('a broker that demands TLS and authentication', () => {
  it.each([
    ['plain', () => ({})],
    ['scram-sha-256', () => ({})],
    ['scram-sha-512', () => ({})],
    ['oauthbearer', () => ({ KAFKA_OAUTH_TOKEN_URL: tokenUrl(), KAFKA_OAUTH_SCOPE: 'kafka' })],
  ])(
    'accepts and delivers messages with %s',
    async (mechanism, more) => {
      const bus = open({ ...account(), ...more(), KAFKA_SASL_MECHANISM: mechanism, KAFKA_PARTITIONS: '2' });
      const topic = `secured-${mechanism}`;
      await bus.ensureTopics([topic]);
      const received = new Map<number, string>();
      await bus.consume({
        group: `group-${mechanism}`,
        topics: [topic],
        fromBeginning: true,
        onMessage: ({ partition, value }) => Promise.resolve(void received.set(partition, value)),
      });
      const keys = Array.from({ length: 20 }, (_, index) => ({ key: `key ${index}`, value: 'hello' }));
      await bus.publish(topic, keys);
      await until('both partitions', () => received.size === 2, 60_000);
      expect(Math.max(...received.keys())).toBe(1);
      await bus.close();
    },
    120_000,
  );

  it('a token is requested once for all connections, with the credentials of the client', async () => {
    const scope = { KAFKA_OAUTH_TOKEN_URL: tokenUrl(), KAFKA_OAUTH_SCOPE: 'kafka' };
    const bus = open({ ...account(), ...scope, KAFKA_SASL_MECHANISM: 'oauthbearer' });
    await bus.ensureTopics(['secured-token']);
    await bus.publish('secured-token', [{ key: 'a', value: 'b' }]);
    await bus.close();
    const credentials = Buffer.from(`ana:${kafka.password}`).toString('base64');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      headers: { authorization: `Basic ${credentials}` },
      body: 'grant_type=client_credentials&scope=kafka',
    });
  }, 60_000);

  it('a second account with the rights of the first goes on where its group is', async () => {
    const [topic, group] = ['secured-replaced', 'group-replaced'];
    const as = (name: string) =>
      open({ ...account(), KAFKA_SASL_MECHANISM: 'plain', KAFKA_USERNAME: name, KAFKA_PARTITIONS: '1' });
    const received: string[] = [];
    const consumeAs = async (name: string) => {
      const bus = as(name);
      const onMessage = ({ value }: { value: string }) => Promise.resolve(void received.push(value));
      await bus.consume({ group, topics: [topic], fromBeginning: true, onMessage });
      return bus;
    };
    const owner = as('ana');
    await owner.ensureTopics([topic]);
    await allow('former', { topic, group });
    const former = await consumeAs('former');
    await former.publish(topic, [{ key: 'a', value: 'with the former account' }]);
    await until('the first message', () => received.length === 1, 60_000);
    const early = as('next');
    await expect(early.publish(topic, [{ key: 'a', value: 'without a right' }])).rejects.toThrow();
    await early.close();

    await allow('next', { topic, group });
    const next = await consumeAs('next'); // both, as during a rollout
    await former.close();
    await next.publish(topic, [{ key: 'a', value: 'with the next account' }]);
    await until('the second message', () => received.length === 2, 60_000);
    expect(received).toEqual(['with the former account', 'with the next account']);
    await next.close();
    await owner.close();
  }, 120_000);

  it.each([
    ['a wrong password', () => ({ KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_PASSWORD: 'wrong' })],
    ['no authentication', () => ({ KAFKA_USERNAME: '', KAFKA_PASSWORD: '' })],
    ['plain text', () => ({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_TLS: 'false' })],
  ])(
    'refuses %s',
    async (_, change) => {
      const bus = open({ ...account(), ...change() });
      await expect(bus.ensureTopics(['secured-refused'])).rejects.toThrow();
      await bus.close();
    },
    60_000,
  );
});

describe('the settings of the connection to Kafka', () => {
  const brokers = { KAFKA_BROKERS: 'one:9092' };
  it.each([
    [{ KAFKA_SASL_MECHANISM: 'gssapi' }, 'KAFKA_SASL_MECHANISM'],
    [{ KAFKA_SASL_MECHANISM: 'plain' }, 'missing KAFKA_USERNAME, KAFKA_PASSWORD'],
    [{ KAFKA_USERNAME: 'ana', KAFKA_PASSWORD: 'one' }, 'invalid KAFKA_USERNAME, KAFKA_PASSWORD'],
    [
      { KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_USERNAME: 'ana', KAFKA_PASSWORD: 'one' },
      'missing KAFKA_OAUTH_TOKEN_URL',
    ],
    [{ KAFKA_OAUTH_SCOPE: 'kafka' }, 'invalid KAFKA_OAUTH_SCOPE'],
    [{ KAFKA_TLS: 'required' }, 'invalid KAFKA_TLS'],
    [{ KAFKA_REPLICATION_FACTOR: '0' }, 'invalid KAFKA_REPLICATION_FACTOR'],
  ])('%j are refused', (env, message) => {
    expect(() => readKafkaSettings({ ...brokers, ...env })).toThrow(message);
  });

  it('have defaults, even for empty variables', () => {
    const empty = { KAFKA_TLS: '', KAFKA_SASL_MECHANISM: '', KAFKA_USERNAME: '', KAFKA_PARTITIONS: '' };
    expect(readKafkaSettings({ ...brokers, ...empty })).toEqual(readKafkaSettings(brokers));
    expect(readKafkaSettings(brokers)).toMatchObject({
      KAFKA_TLS: false,
      KAFKA_PARTITIONS: 6,
      KAFKA_REPLICATION_FACTOR: -1,
    });
  });
});
