import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v1Endpoints } from '@shortlist/contracts/api/v1';
import { expect, it, onTestFinished } from 'vitest';
import { codeSamples, SAMPLE_START } from './code-samples.ts';

const ROOT = join(import.meta.dirname, '../..');

const README = join(ROOT, 'clients/typescript/README.md');

/** What the examples of the README take for granted. */
const GIVEN = `
declare const chrome: {
  storage: { local: { get: <Items>(name: string) => Promise<Items>; set: (items: object) => Promise<void> } };
};
`;

const readmeExamples = async (): Promise<string[]> =>
  Array.from((await readFile(README, 'utf8')).matchAll(/```ts\n([^]*?)```/g), ([, code = '']) => code);

const typescriptSamples = (): string[] =>
  (Object.keys(v1Endpoints) as (keyof typeof v1Endpoints)[]).map(
    (name) => codeSamples(name).find(({ lang }) => lang === 'typescript')?.source ?? '',
  );

it('the samples of the reference and of the README compile with the client library', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [example = '', ...others] = await readmeExamples();
  const samples = [
    ...typescriptSamples(),
    example,
    ...others.map((code) => (code.startsWith('import') ? code : `${SAMPLE_START}${code}${GIVEN}`)),
  ];
  expect(samples).toHaveLength(13);
  for (const [index, code] of samples.entries())
    await writeFile(join(folder, `sample-${index}.ts`), `${code}\nexport {};\n`);
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      tsBuildInfoFile: null,
      noUnusedLocals: false,
      paths: { '@shortlist/client': [join(ROOT, 'clients/typescript/src/client.ts')] },
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [folder],
    exclude: [],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compile = (): string => {
    try {
      return execFileSync(
        process.execPath,
        [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-p', folder, '--pretty', 'false'],
        { encoding: 'utf8' },
      );
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    }
  };
  expect(compile()).toBe('');
});
