import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as bff from '@shortlist/bff/config';
import * as billing from '@shortlist/billing/config';
import * as credits from '@shortlist/credits/config';
import * as identity from '@shortlist/identity/config';
import type { Variables } from '@shortlist/kit/process/config';
import { kafkaVariables } from '@shortlist/kit/messaging/kafka-settings';
import { makeSecrets, SECRET_NAMES } from '@shortlist/local/host/secrets';
import { portsFromBase, PROCESS_NAMES } from '@shortlist/local/system/ports';
import { planProcess } from '@shortlist/local/system/processes';
import * as operator from '@shortlist/operator/config';
import * as profile from '@shortlist/profile/config';
import * as sandbox from '@shortlist/sandbox/config';
import * as worker from '@shortlist/worker/config';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (text: string): string[] => text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [];

/** What each container of docker-compose.yml reads. */
const CONTAINERS: Record<string, Variables> = {
  bff: bff.variables,
  identity: identity.variables,
  profile: profile.variables,
  billing: billing.variables,
  credits: credits.variables,
  worker: worker.variables,
  sandbox: sandbox.variables,
  'first-admin': { ...identity.variables, ...identity.adminVariables },
  'stripe-setup': { ...billing.variables, ...billing.checkVariables },
};
const VERIFY: Variables = { ...operator.verifyVariables, ...kafkaVariables };
const BACKUP: Variables = {
  ...operator.backupVariables,
  ...operator.keyVariables,
  RESTORE_PASSWORD: operator.restorePassword,
};
const DECLARED: Variables = Object.assign({}, ...Object.values(CONTAINERS), VERIFY, BACKUP) as Variables;

const lines = read('.env.example').split('\n');
const variables = lines.flatMap((line) => /^([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []);

it('.env.example lists exactly the variables that the configs read', () => {
  expect(variables.length).toBeGreaterThan(30);
  expect(variables.toSorted()).toEqual(Object.keys(DECLARED).toSorted());
});

it('a variable whose type is not optional is required or has a default', () => {
  const unset = Object.entries(DECLARED).filter(([, schema]) => {
    const { flags = {} } = schema.describe() as { flags?: object };
    return !('presence' in flags) && !('default' in flags);
  });
  expect(unset.map(([name]) => name)).toEqual([]);
});

it('a variable that a document names exists', () => {
  const sources = globSync(
    [
      '.ci/*',
      '.github/workflows/*.yml',
      '{bff,deploy,packages,services,tests,tools}/**/{run,Dockerfile,*.ts,*.yaml,*.sh}',
    ],
    {
      cwd: ROOT,
      exclude: ['**/node_modules', 'tests/checks'],
    },
  );
  const code = new Set([read('Makefile'), read('docker-compose.yml'), ...sources.map(read)].flatMap(namesIn));
  expect(code.size).toBeGreaterThan(200);
  const named = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].map(read).flatMap(namesIn);
  expect(named.filter((name) => !code.has(name))).toEqual([]);
});

it('A11 no secret in .env.example has a value', () => {
  const secrets = lines.filter((line) => /^[A-Z_]*(KEY|SECRET|SECRETS|PASSWORD)=/.test(line));
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter((line) => !line.endsWith('='))).toEqual([]);
});

type Reader = (env: Record<string, string>) => unknown;

it('A11 no process starts with a missing or guessable secret', () => {
  const readers = [bff, identity, profile, billing, credits, worker].flatMap((module) =>
    Object.entries(module)
      .filter(([name]) => name.startsWith('read'))
      .map(([, reader]) => reader as Reader),
  );
  const messagesFor = (env: Record<string, string>): string[] =>
    readers.map((reader) => {
      try {
        return String(reader(env));
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

it('the chart and make start set no variable that nothing reads', () => {
  const { settings } = parse(read('deploy/k8s/values.yaml')) as { settings: object };
  const workloads = parse(read('deploy/k8s/processes.yaml')) as Record<string, { secrets: string[] }>;
  const deployment = {
    ...portsFromBase(5000),
    root: ROOT,
    directory: '/data',
    publicUrl: 'http://localhost:5000',
    secrets: makeSecrets(),
    backing: {
      databaseAdminUrl: 'mysql://root:password@127.0.0.1:5020',
      sessionsRedisUrl: 'redis://127.0.0.1:5021',
      queueRedisUrl: 'redis://127.0.0.1:5022',
      kafkaBrokers: '127.0.0.1:5023',
    },
    env: {},
  };
  const set = [
    ...Object.keys(settings),
    ...Object.values(workloads).flatMap(({ secrets }) => secrets),
    ...PROCESS_NAMES.flatMap((name) => Object.keys(planProcess(deployment, name).env)),
  ].filter((name) => !/^(NODE|MALLOC)_/.test(name));
  expect(set.filter((name) => !(name in DECLARED))).toEqual([]);
});

describe('docker-compose.yml', () => {
  type Service = { environment?: Record<string, unknown>; profiles?: string[]; ports?: string[] };
  type Compose = { services: Record<string, Service> };
  const text = read('docker-compose.yml');
  const compose = parse(text, { merge: true }) as Compose;
  const passedTo = (name: string): string[] => Object.keys(compose.services[name]?.environment ?? {});

  it.each(Object.entries(CONTAINERS))(
    'passes every variable that %s reads to its container',
    (name, declared) => {
      const passed = passedTo(name);
      // What the sandbox knows is gone with its container.
      const expected = Object.keys(declared).filter((variable) => variable !== 'SANDBOX_STATE_FILE');
      expect(expected.filter((variable) => !passed.includes(variable))).toEqual([]);
    },
  );

  it('passes every source to `verify`', () => {
    const sources = Object.keys(operator.verifyVariables).filter((variable) => variable !== 'DATABASE_URL');
    expect(passedTo('verify').toSorted()).toEqual([...sources, 'KAFKA_BROKERS'].toSorted());
  });

  it('passes every variable to the backup, and settings of rclone', () => {
    const passed = passedTo('backup').filter((variable) => !variable.startsWith('RCLONE_'));
    expect(passed.toSorted()).toEqual(Object.keys(BACKUP).toSorted());
  });

  it('passes no variable that nothing reads', () => {
    const passed = [...Object.keys(CONTAINERS), 'verify'].flatMap(passedTo);
    expect(passed.filter((variable) => !(variable in DECLARED) && variable !== 'NODE_ENV')).toEqual([]);
  });

  it('requires exactly the secrets that make env writes', () => {
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    expect([...new Set(required)].toSorted()).toEqual(SECRET_NAMES.toSorted());
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
