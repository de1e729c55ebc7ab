import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: ROOT });

const PLAIN = 'services/credits/src/charges/charge-credit.ts';

const brokenRules = async (code: string, filePath = PLAIN): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(code, { filePath: join(ROOT, filePath), warnIgnored: true });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
};

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `export const a${index} = ${index};`).join('\n');

it('a file has at most 300 lines of code, without comments and empty lines', async () => {
  expect(await brokenRules(names(300))).toEqual([]);
  expect(await brokenRules(`${names(300)}\n\n// why\n`)).toEqual([]);
  expect(await brokenRules(names(301))).toEqual(['max-lines']);
});

it('a function has at most 80 lines', async () => {
  const body = (count: number): string =>
    `let a = 0;\nexport const f = () => {\n${'a += 1;\n'.repeat(count)}return a;\n};`;
  expect(await brokenRules(body(77))).toEqual([]);
  expect(await brokenRules(body(78))).toEqual(['max-lines-per-function']);
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
  expect(await brokenRules(code)).toContain(rule);
});

it('classes that extend Error and dates from a value are accepted', async () => {
  expect(await brokenRules('export class Lost extends Error {}')).toEqual([]);
  expect(await brokenRules('export const f = (text: string) => new Date(text);')).toEqual([]);
});

it('config.ts and main.ts may read the environment, main.ts the clock, and pages may use default exports', async () => {
  expect(
    await brokenRules('export const home = process.env.HOME;', 'services/credits/src/config.ts'),
  ).toEqual([]);
  expect(
    await brokenRules('export const now = () => [new Date(), process.env];', 'services/credits/src/main.ts'),
  ).toEqual([]);
  expect(await brokenRules('export const now = () => new Date();', 'services/credits/src/config.ts')).toEqual(
    ['house/no-now'],
  );
  expect(await brokenRules('export default 1;', 'web/src/pages/home.tsx')).toEqual([]);
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
])('house/file-name refuses the file name %s', async (name) => {
  expect(await brokenRules('export const a = 1;', `services/credits/src/${name}.ts`)).toEqual([
    'house/file-name',
  ]);
});

const SCREEN = 'web/src/features/earnings/earnings-panel.tsx';

it.each([
  ['export const A = () => <p>Nothing to pay</p>;'],
  ["export const A = () => <p>{'Nothing to pay'}</p>;"],
  ['export const A = () => <input aria-label="period" />;'],
  ['export const A = (p: { n: number }) => <b title={`${p.n} users`} />;'],
  ["export const LABELS = { week: 'This Week' };"],
  ['export const f = (day: string) => `Paid on ${day}`;'],
])('a screen keeps its texts in the catalogue: %s', async (code) => {
  expect(await brokenRules(code, SCREEN)).toEqual(['house/catalogue-texts']);
});

it.each([
  ["export const f = (key: string) => key === 'Escape';"],
  ['export const A = () => <p className="small muted">{f(1)}</p>;'],
  ["export const f = () => { throw new Error('Unknown period'); };"],
  ['export const f = (token: string) => ({ authorization: `Bearer ${token}` });'],
])('a screen may contain strings that are no texts: %s', async (code) => {
  expect(await brokenRules(code, SCREEN)).toEqual([]);
});

it('the rules that need types refuse a promise that nothing awaits and a switch with a missing case', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-lint-'));
  const code = [
    'const save = () => Promise.resolve(1);',
    'save();',
    "export const f = (plan: 'free' | 'premium'): void => { switch (plan) { case 'free': break; } };",
  ];
  await writeFile(join(directory, 'planted.ts'), `${code.join('\n')}\n`);
  await writeFile(join(directory, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }');
  const args = ['--config', join(ROOT, '.oxlintrc.json'), '--format=unix', directory];
  const output = await new Promise<string>((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/oxlint'), args, (_error, stdout) => resolve(stdout));
  });
  await rm(directory, { recursive: true });
  expect(output).toMatch(/planted\.ts:2:1: .*no-floating-promises/);
  expect(output).toMatch(/planted\.ts:3:\d+: .*switch-exhaustiveness-check/);
});
