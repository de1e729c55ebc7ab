import { expect, it } from 'vitest';
import { parseDatabaseUrl, parseRedisUrl } from './variables.ts';

it('an address has the parts that a connection needs, decoded', () => {
  expect(parseDatabaseUrl('mysql://ana:p%40ss%3Aword@database.test:3307/identity')).toEqual({
    host: 'database.test',
    port: 3307,
    username: 'ana',
    password: 'p@ss:word',
    database: 'identity',
  });
  expect(parseDatabaseUrl('mysql://ana@[::1]/identity')).toMatchObject({ host: '::1', port: 3306 });
});

it.each([
  ['DISABLED', undefined],
  ['REQUIRED', { rejectUnauthorized: false }],
  ['VERIFY_CA', { rejectUnauthorized: true, verifyIdentity: false }],
  ['VERIFY_IDENTITY', { rejectUnauthorized: true, verifyIdentity: true }],
])('ssl-mode=%s is understood', (mode, ssl) => {
  expect(parseDatabaseUrl(`mysql://a:b@c/d?ssl-mode=${mode}`).ssl).toEqual(ssl);
});

it.each([
  'mysql://a:b@c/d?ssl=true',
  'mysql://a:b@c/d?ssl-mode=required',
  'mysql://a:b@c/d?ssl-mode=constructor',
  'mysql://a:b@c/d?ssl-mode=VERIFY_CA&connectionLimit=3',
  'postgres://a:b@c/d',
  'mysql:///d',
  'c/d',
])('%s is refused', (text) => {
  expect(() => parseDatabaseUrl(text)).toThrow();
});

it.each([
  ['redis://one', { kind: 'single', hosts: [{ host: 'one', port: 6379 }], isTls: false, database: 0 }],
  [
    'rediss://ana:p%40ss@one:7000/2',
    {
      kind: 'single',
      hosts: [{ host: 'one', port: 7000 }],
      isTls: true,
      database: 2,
      username: 'ana',
      password: 'p@ss',
    },
  ],
  ['redis://:pass@[::1]:7000', { hosts: [{ host: '::1', port: 7000 }], password: 'pass' }],
  [
    'rediss+sentinel://ana:pass@one,two:7001/main?sentinel-password=other',
    {
      hosts: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 7001 },
      ],
      kind: 'sentinel',
      isTls: true,
      group: 'main',
      username: 'ana',
      sentinelPassword: 'other',
    },
  ],
  [
    'redis+cluster://one:1,two:2',
    {
      hosts: [
        { host: 'one', port: 1 },
        { host: 'two', port: 2 },
      ],
      kind: 'cluster',
    },
  ],
])('%s is understood', (text, address) => {
  expect(parseRedisUrl(text)).toMatchObject(address);
});

it.each([
  'http://one',
  'redis://',
  'redis://one,two',
  'redis://one/main',
  'redis://one?family=6',
  'redis+sentinel://one,two',
  'redis+sentinel://one/main?password=other',
  'redis+cluster://one/3',
  'redis+cluster://one?sentinel-password=other',
  'redis://one:port',
])('%s is refused', (text) => {
  expect(() => parseRedisUrl(text)).toThrow();
});
