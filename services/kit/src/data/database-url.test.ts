import { expect, it } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

it('an address has the parts that a connection needs, decoded', () => {
  expect(parseDatabaseUrl('mysql://ana:p%40ss%3Aword@database.test:3307/identity')).toEqual({
    ...{ host: 'database.test', port: 3307, username: 'ana', password: 'p@ss:word', database: 'identity' },
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
