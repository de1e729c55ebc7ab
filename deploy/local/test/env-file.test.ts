import { expect, it } from 'vitest';
import { envFile } from '../src/state/env-file.ts';
import { makeSecrets } from '../src/state/secrets.ts';

const secrets = makeSecrets();

it('.env for containers has every secret and nothing of the environment by default', () => {
  const lines = envFile(secrets, { PATH: '/bin', BRAND: '' }).trimEnd().split('\n');
  expect(lines).toEqual(Object.entries(secrets).map(([name, value]) => `${name}=${value}`));
});

it('.env for containers has BRAND, LINK_* and TERMS_* where the environment sets them', () => {
  expect(envFile(secrets, { TERMS_VERSION: '2026-11' }).endsWith('TERMS_VERSION=2026-11\n')).toBe(true);
  const text = envFile(secrets, { BRAND: 'Bob’s $ People', LINK_CRM: 'https://crm.test/#a', LINK: 'x' });
  expect(text.endsWith("BRAND='Bob’s $ People'\nLINK_CRM='https://crm.test/#a'\n")).toBe(true);
});
