import { expect, it } from 'vitest';
import { parseRedisUrl } from './redis-url.ts';

it.each([
  ['redis://one', { kind: 'single', hosts: [{ host: 'one', port: 6379 }], isTls: false, database: 0 }],
  [
    'rediss://ana:p%40ss@one:7000/2',
    {
      ...{ kind: 'single', hosts: [{ host: 'one', port: 7000 }], isTls: true, database: 2 },
      ...{ username: 'ana', password: 'p@ss' },
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
      ...{ kind: 'sentinel', isTls: true, group: 'main', username: 'ana', sentinelPassword: 'other' },
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
