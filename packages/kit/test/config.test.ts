import Joi from 'joi';
import { expect, it } from 'vitest';
import { ConfigError, loadConfig, variable } from '../src/process/config.ts';
import { type ServiceConfig, serviceVariables } from '../src/service.ts';

const whole = {
  PORT: '5001',
  DATABASE_URL: 'mysql://u:p@localhost/db',
  KAFKA_BROKERS: 'one:9092, two:9092',
  XSRF_KEY: 'Zm9vYmFyYmF6cXV4cXV1eA',
};
type Config = ServiceConfig & { XSRF_KEY: string };
const read = (env: Record<string, string>): Config =>
  loadConfig({ ...serviceVariables, XSRF_KEY: variable.secret }, env);
const sentence = (env: Record<string, string>): string => {
  try {
    read(env);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

it('variables are read, and optional ones have defaults', () => {
  expect(read(whole)).toMatchObject({
    HOST: '0.0.0.0',
    PORT: 5001,
    OPS_PORT: 9090,
    LOG_LEVEL: 'info',
    ROLES: ['http', 'consumers', 'relay'],
    DATABASE_URL: whole.DATABASE_URL,
    DATABASE_POOL: 10,
    KAFKA_BROKERS: ['one:9092', 'two:9092'],
    XSRF_KEY: whole.XSRF_KEY,
  });
});

it('A11 every missing variable is named at once', () => {
  expect(sentence({})).toBe(
    'cannot start: missing PORT, DATABASE_URL, KAFKA_BROKERS, XSRF_KEY (each is described in .env.example)',
  );
});

it.each([
  'secret-secret-secret',
  'change-me-change-me',
  'ChangeMe12345678901',
  'password12345678',
  'short',
  'default-default-1',
])('A11 %s is not accepted as a secret', (value) =>
  expect(sentence({ ...whole, XSRF_KEY: value })).toContain('invalid XSRF_KEY'),
);

it.each(['', 'short', 'whsec_0123456789abcdef,change-me-change-me', 'whsec_0123456789abcdef,short'])(
  'A11 each of several secrets (%s) must be strong',
  (value) => {
    const read = (HOOKS: string): unknown => loadConfig({ HOOKS: variable.secrets }, { HOOKS });
    expect(() => read(value)).toThrow('invalid HOOKS');
    expect(read('whsec_0123456789abcdef, whsec_fedcba9876543210')).toEqual({
      HOOKS: ['whsec_0123456789abcdef', 'whsec_fedcba9876543210'],
    });
  },
);

it.each(['password1234', 'changeme1234', 'admin-admin-admin', 'eleven char'])(
  'A11 %s is not accepted as an admin password',
  (ADMIN_PASSWORD) =>
    expect(() => loadConfig({ ADMIN_PASSWORD: variable.password }, { ADMIN_PASSWORD })).toThrow(
      'ADMIN_PASSWORD',
    ),
);

it('A11 missing and guessable variables are named together, without their values', () => {
  const { PORT: _, ...rest } = whole;
  const message = sentence({ ...rest, XSRF_KEY: 'password12345678' });
  expect(message).toContain('missing PORT; invalid XSRF_KEY');
  expect(message).not.toContain('password12345678');
});

it.each([
  ['DATABASE_URL', 'http://localhost'],
  ['PORT', 'many'],
  ['ROLES', 'http,everything'],
  ['LOG_LEVEL', 'loud'],
])('%s may not be %s', (name, value) =>
  expect(sentence({ ...whole, [name]: value })).toContain(`invalid ${name}`),
);

it('a list may not be empty', () => {
  const schema = { LIST: variable.list, MORE: Joi.string() };
  for (const empty of ['', ' , ']) expect(() => loadConfig(schema, { LIST: empty })).toThrow('LIST');
});

it('A11 keys of tokens are an id and a strong secret each, and no id occurs twice', () => {
  const readKeys = (keys: string): unknown => loadConfig({ KEYS: variable.tokenKeys }, { KEYS: keys }).KEYS;
  expect(readKeys('2:the-newer-secret-key, 1:the-older:secret-key')).toEqual([
    { id: '2', secret: 'the-newer-secret-key' },
    { id: '1', secret: 'the-older:secret-key' },
  ]);
  for (const keys of [
    '',
    'a-secret-without-an-id',
    '1:short',
    '1:changeme-changeme-changeme',
    '1:the-newer-secret-key,1:the-older-secret-key',
  ])
    expect(() => readKeys(keys), keys).toThrow('invalid KEYS');
});
