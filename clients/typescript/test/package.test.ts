import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..');
const MAX_BYTES = 8 * 1024;

let target: string;
let packed: string;
beforeAll(async () => {
  target = await mkdtemp(join(tmpdir(), 'client-'));
  const pack = ['pack', '--pack-destination', target, '--silent', '--foreground-scripts=false'];
  execFileSync('npm', pack, { cwd: FOLDER, stdio: 'pipe' });
  const [name = ''] = await readdir(target);
  packed = join(target, name);
});
afterAll(() => rm(target, { recursive: true }));

it('publint finds nothing in the package', async () => {
  const { messages } = await publint({
    strict: true,
    pack: { tarball: new Uint8Array(await readFile(packed)).buffer },
  });
  expect(messages).toEqual([]);
});

it('the types of the package are right for import and for require', () => {
  const program = join(import.meta.dirname, 'check-types.ts');
  const problems = execFileSync(process.execPath, [program, packed], { encoding: 'utf8' });
  expect(JSON.parse(problems)).toEqual([]);
});

it('the package can be imported and required', () => {
  const run = (...input: string[]): string =>
    execFileSync(process.execPath, input, { cwd: FOLDER, encoding: 'utf8' });
  const show = 'console.log(typeof createClient, typeof ShortlistError)';
  const names = '{ createClient, ShortlistError }';
  expect(run('--input-type=module', '-e', `import ${names} from '@shortlist/client'; ${show}`)).toBe(
    'function function\n',
  );
  expect(run('-e', `const ${names} = require('@shortlist/client'); ${show}`)).toBe('function function\n');
});

it('the library is small', async () => {
  const bundle = await rolldown({ input: join(FOLDER, 'dist/esm/client.js') });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const bytes = gzipSync(output[0].code, { level: 9 }).length;
  expect(output[0].imports).toEqual([]);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});
