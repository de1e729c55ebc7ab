import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const NAME = /[\s{]([A-Z][A-Z0-9_]{2,})\??:/g;

const services = readdirSync(join(ROOT, 'services')).map((name) => `services/${name}/src/config.ts`);
// The variables that all services share are declared beside the chassis.
const CONFIGS = [
  ...services,
  'services/kit/src/service.ts',
  'bff/src/config.ts',
  'deploy/sandbox/src/config.ts',
];

const namesIn = (path: string): string[] =>
  existsSync(join(ROOT, path))
    ? [...readFileSync(join(ROOT, path), 'utf8').matchAll(NAME)].map(([, name = '']) => name)
    : [];

const lines = readFileSync(join(ROOT, '.env.example'), 'utf8').split('\n');
const described = lines
  .map((line, index) => ({ name: /^([A-Z][A-Z0-9_]+)=/.exec(line)?.[1], above: lines[index - 1] ?? '' }))
  .filter(({ name }) => name !== undefined);

it('.env.example names every variable that a config reads, and nothing else', () => {
  const read = new Set(CONFIGS.flatMap(namesIn));
  expect(read.size).toBeGreaterThan(30);
  expect(described.map(({ name }) => name).toSorted()).toEqual([...read].toSorted());
});

it('each has one line above it that says what it means', () => {
  expect(described.filter(({ above }) => !/^# \S.{10,}/.test(above))).toEqual([]);
});

it('A11 no secret has a value that somebody could leave as it is', () => {
  const secrets = lines.filter((line) => /^[A-Z_]*(KEY|SECRET|SECRETS|PASSWORD)=/.test(line));
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter((line) => !line.endsWith('='))).toEqual([]);
});

type Reader = (env: Record<string, string>) => unknown;

it('A11 no process of ours starts with a secret that is missing, or that somebody could guess', async () => {
  const paths = [...services, 'bff/src/config.ts'].filter((path) => existsSync(join(ROOT, path)));
  const own = paths.filter((path) => !path.startsWith('services/kit/'));
  const modules = await Promise.all(
    own.map((path) => import(join(ROOT, path)) as Promise<Record<string, Reader>>),
  );
  const readers = modules.flatMap((module) => Object.values(module));
  const complaints = (env: Record<string, string>): string[] =>
    readers.map((read) => {
      try {
        return String(read(env));
      } catch (error) {
        return (error as Error).message;
      }
    });
  const counts = described
    .map(({ name = '' }) => name)
    .filter((name) => /(KEY|SECRETS|PASSWORD)$/.test(name))
    .map((name) => ({
      name,
      missing: complaints({}).filter((text) => text.includes(name)).length,
      guessable: complaints({ [name]: 'change-me-change-me' }).filter((text) =>
        new RegExp(`invalid ${name} `).test(text),
      ).length,
    }))
    .filter(({ missing }) => missing > 0); // those of the local stand-ins are no secrets of ours
  expect(counts.length).toBeGreaterThanOrEqual(6);
  for (const { name, missing, guessable } of counts) expect(guessable, name).toBe(missing);
});
