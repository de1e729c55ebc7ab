import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = /`((?:bff|deploy|docs|services|tests|tools|web)\/[\w./-]+\.\w+)`/g;

it.each(globSync('docs/**/*.md', { cwd: ROOT }))('%s names files that exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const named = [...text.matchAll(SOURCE)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
