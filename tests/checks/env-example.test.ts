import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const NAME = /[\s{]([A-Z][A-Z0-9_]{2,})\??:/g;

const services = globSync('services/*/src/config.ts', { cwd: ROOT });
// service.ts declares the variables that all services share; bff shares those of a server, of Kafka and of tracing.
const SERVER = 'services/kit/src/process/config.ts';
const KAFKA = 'services/kit/src/messaging/kafka-settings.ts';
const TRACING = 'services/kit/src/process/tracing.ts';
const SHARED = 'services/kit/src/service.ts';
const KIT = [SHARED, SERVER, KAFKA, TRACING];
const CONFIGS = [...services, ...KIT, 'bff/src/config.ts', 'deploy/sandbox/src/config.ts'];

const namesIn = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(NAME)].map(([, name = '']) => name);

const lines = readFileSync(join(ROOT, '.env.example'), 'utf8').split('\n');
const variables = lines.flatMap((line) => /^([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []);

it('.env.example lists exactly the variables that the configs read', () => {
  const read = new Set(CONFIGS.flatMap(namesIn));
  expect(read.size).toBeGreaterThan(30);
  expect(variables.toSorted()).toEqual([...read].toSorted());
});

it('A11 no secret in .env.example has a value', () => {
  const secrets = lines.filter((line) => /^[A-Z_]*(KEY|SECRET|SECRETS|PASSWORD)=/.test(line));
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter((line) => !line.endsWith('='))).toEqual([]);
});

type Reader = (env: Record<string, string>) => unknown;

it('A11 no process starts with a missing or guessable secret', async () => {
  const modules = [...services, 'bff/src/config.ts'].map(
    (path) => import(join(ROOT, path)) as Promise<Record<string, Reader>>,
  );
  const readers = (await Promise.all(modules)).flatMap((module) => Object.values(module));
  const messagesFor = (env: Record<string, string>): string[] =>
    readers.map((read) => {
      try {
        return String(read(env));
      } catch (error) {
        return (error as Error).message;
      }
    });
  const countIn = (messages: string[], text: string): number =>
    messages.filter((message) => message.includes(text)).length;
  const missing = messagesFor({});
  const isSecret = (name: string): boolean => /(KEY|SECRETS|PASSWORD)$/.test(name);
  const names = variables.filter((name) => isSecret(name) && countIn(missing, name) > 0); // only the sandbox reads the others
  expect(names.length).toBeGreaterThanOrEqual(5);
  for (const name of names)
    expect(countIn(messagesFor({ [name]: 'change-me-change-me' }), `invalid ${name} `), name).toBe(
      countIn(missing, name),
    );
  // The password of an admin may be typed instead.
  expect(messagesFor({ ADMIN_PASSWORD: 'change-me-change-me' }).join()).toContain('invalid ADMIN_PASSWORD ');
});

describe('docker-compose.yml', () => {
  type Service = { environment?: Record<string, unknown>; profiles?: string[]; ports?: string[] };
  type Compose = { services: Record<string, Service> };
  const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
  const processes = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'];
  const filesOf = (name: string): string[] =>
    name === 'bff' ? ['bff/src/config.ts'] : [SHARED, `services/${name}/src/config.ts`];
  const variablesOf = (name: string): string[] => [...filesOf(name), KAFKA, TRACING].flatMap(namesIn);

  it.each(processes)('passes every variable that %s reads to its container', (name) => {
    const passed = Object.keys(compose.services[name]?.environment ?? {});
    // The first-admin container reads these.
    const read = new Set(variablesOf(name).filter((variable) => !variable.startsWith('ADMIN_')));
    expect(read.size).toBeGreaterThan(5);
    expect([...read].filter((variable) => !passed.includes(variable))).toEqual([]);
  });

  it('lets no one log in to Grafana, and publishes the tools of observation on this machine alone', () => {
    const tools = Object.values(compose.services).filter(({ profiles = [] }) => profiles.includes('observe'));
    expect(tools).toHaveLength(3);
    for (const { ports = [] } of tools)
      expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\$\{[A-Z]+_PORT:-50\d\d\}:\d+$/)]);
    expect(compose.services['grafana']?.environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });
});
