import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
// Without the typed rules: the planted files are on no disk, so no program knows their types.
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: [{ files: ['**/*.ts', '**/*.tsx'], ...tseslint.configs.disableTypeChecked }],
});

const PLAIN = 'services/credits/src/charges/spend-credit.ts';

const broken = async (code: string, filePath = PLAIN): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(code, { filePath: join(ROOT, filePath), warnIgnored: true });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
};

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `export const a${index} = ${index};`).join('\n');

it('a file has 200 lines of code at most, a test 300; comments and empty lines are free', async () => {
  expect(await broken(names(200))).toEqual([]);
  expect(await broken(`${names(200)}\n\n// why\n`)).toEqual([]);
  expect(await broken(names(201))).toEqual(['max-lines']);
  expect(await broken(names(300), 'services/credits/test/spend.test.ts')).toEqual([]);
  expect(await broken(names(301), 'services/credits/test/spend.test.ts')).toEqual(['max-lines']);
});

it('a function has 50 lines at most', async () => {
  const body = (count: number): string =>
    `let a = 0;\nexport const f = () => {\n${'a += 1;\n'.repeat(count)}return a;\n};`;
  expect(await broken(body(47))).toEqual([]);
  expect(await broken(body(48))).toEqual(['max-lines-per-function']);
});

it.each([
  ['complexity', `export const f = (a: number) => ${'a > 1 && '.repeat(8)}a;`],
  ['max-depth', 'export const f = (a: number) => { if (a) { if (a) { if (a) { if (a) { f(a); } } } } };'],
  ['max-params', 'export const f = (a: 1, b: 1, c: 1, d: 1) => [a, b, c, d];'],
  ['eqeqeq', 'export const f = (a: unknown) => a == 1;'],
  ['no-console', 'export const f = () => console.log(1);'],
  ['house/no-class', 'export class Shop {}'],
  ['house/no-class', 'export const Shop = class extends Map {};'],
  ['house/no-default-export', 'export default 1;'],
  ['house/no-export-all', "export * from './queries.ts';"],
  ['house/no-env', 'export const f = () => process.env.HOME;'],
  ['house/no-env', 'export const { env } = process;'],
  ['house/no-now', 'export const f = () => Date.now();'],
  ['house/no-now', 'export const f = () => new Date();'],
])('%s refuses: %s', async (rule, code) => {
  expect(await broken(code)).toContain(rule);
});

it('errors are classes, a moment that was given is no clock', async () => {
  expect(await broken('export class Lost extends Error {}')).toEqual([]);
  expect(await broken('export const f = (text: string) => new Date(text);')).toEqual([]);
});

it('config.ts and main.ts read the environment, main.ts asks for the time, pages are default exports', async () => {
  expect(await broken('export const home = process.env.HOME;', 'services/credits/src/config.ts')).toEqual([]);
  expect(
    await broken('export const now = () => [new Date(), process.env];', 'services/credits/src/main.ts'),
  ).toEqual([]);
  expect(await broken('export const now = () => new Date();', 'services/credits/src/config.ts')).toEqual([
    'house/no-now',
  ]);
  expect(await broken('export default 1;', 'web/src/pages/home.tsx')).toEqual([]);
});

it.each([
  'utils',
  'helpers',
  'common',
  'misc',
  'shared',
  'types',
  'index',
  'service',
  'manager',
  'base',
  'getUser',
])('no file is called %s', async (name) => {
  expect(await broken('export const a = 1;', `services/credits/src/${name}.ts`)).toEqual(['house/file-name']);
});
