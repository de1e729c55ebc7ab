import { expect, it } from 'vitest';
import { send, useBff } from './support.ts';

const bff = await useBff();

it('a password manager is led to the page where the password is changed', async () => {
  const { status, headers } = await send(bff.port, '/.well-known/change-password');
  expect([status, headers.location]).toEqual([302, '/security']);
});

it.each([
  '/.well-known/',
  '/.well-known/security.txt',
  '/.well-known/assetlinks',
  '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
])('there is nothing at %s', async (path) => {
  expect((await send(bff.port, path)).status).toBe(404);
});
