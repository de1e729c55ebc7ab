import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSecrets, readSecrets, SECRET_NAMES } from '../src/secrets.ts';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlist-secrets-'));
  file = join(directory, 'deeper', 'secrets.env');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('makes every secret once and gives the same ones ever after', async () => {
  const first = await readSecrets(file);
  expect(Object.keys(first).sort()).toEqual([...SECRET_NAMES].sort());
  expect(await readSecrets(file)).toEqual(first);
});

it('is for its owner alone', async () => {
  await readSecrets(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('adds what a newer version needs and leaves the rest as it was', async () => {
  const first = await readSecrets(file);
  const shorter = (await readFile(file, 'utf8')).replace(/^XSRF_KEY=.*\n/m, '');
  await writeFile(file, shorter);
  const second = await readSecrets(file);
  expect({ ...second, XSRF_KEY: '' }).toEqual({ ...first, XSRF_KEY: '' });
  expect(second.XSRF_KEY).toMatch(/^[0-9a-f]{64}$/);
  expect(await readSecrets(file)).toEqual(second);
});

it('keeps what a person wrote into the file', async () => {
  await readSecrets(file);
  await appendFile(file, 'ADMIN_EMAIL=boss@shortlist.test\n');
  expect((await readSecrets(file)).ADMIN_EMAIL).toBe('boss@shortlist.test');
});

it('never makes the same twice', () => {
  const [one, other] = [makeSecrets(), makeSecrets()];
  const same = SECRET_NAMES.filter((name) => one[name] === other[name]);
  expect(same).toEqual(['ADMIN_EMAIL']);
});
