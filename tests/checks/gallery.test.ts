import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { screens } from '../journeys/screens.ts';

const PAGES = join(import.meta.dirname, '../../web/src/app/pages.ts');

/** A page that leads to another one at once. */
const REDIRECTS = ['/admin/user-deleted'];

it('the journey of every screen opens every route of the product', () => {
  const pages = readFileSync(PAGES, 'utf8').matchAll(/'(\/[\w/-]*)': lazyPage\(/g);
  const paths = [...pages].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(30);
  const opened = screens('a-user').map(({ path }) => new URL(path, 'https://shortlist.test').pathname);
  expect([...new Set([...opened, ...REDIRECTS])].toSorted()).toEqual(['/login', ...paths].toSorted());
});
