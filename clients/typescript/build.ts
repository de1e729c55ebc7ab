// Builds the package for import and for require.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = import.meta.dirname;
const COMPILER = join(FOLDER, '../../node_modules/typescript-7/bin/tsc');

const build = (name: string, type: 'module' | 'commonjs', options: string[]): void => {
  const folder = join(FOLDER, 'dist', name);
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [COMPILER, '-p', FOLDER, '--outDir', folder, ...options], {
    stdio: 'inherit',
  });
  for (const file of globSync(join(folder, '*.d.ts'))) {
    // The compiler rewrites the extensions in code alone, and its versions before 5.7 do not resolve them.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w.-]+)\.ts';/g, "$1.js';"));
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
};

rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
build('esm', 'module', ['--module', 'nodenext']);
build('cjs', 'commonjs', [
  '--module',
  'commonjs',
  '--moduleResolution',
  'bundler',
  '--verbatimModuleSyntax',
  'false',
]);
