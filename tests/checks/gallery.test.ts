import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { screens } from '../journeys/screens.ts';

const ROUTES = join(import.meta.dirname, '../../web/src/app/routes.tsx');

/** A page that leads to another one at once. */
const REDIRECTS = ['/admin/user-deleted'];

const pathsIn = (text = ''): string[] =>
  [...text.matchAll(/<Route (?:index|path="([\w/-]+)") element/g)].map(([, path = '']) => `/${path}`);

it('the journey of every screen opens every route of the product', () => {
  const [root, admin] = readFileSync(ROUTES, 'utf8').split('<Route path="admin">');
  const routes = [...pathsIn(root), ...pathsIn(admin).map((path) => `/admin${path}`)];
  expect(routes.length).toBeGreaterThan(30);
  const opened = screens('a-user').map(({ path }) => new URL(path, 'https://shortlist.test').pathname);
  expect([...new Set([...opened, ...REDIRECTS])].toSorted()).toEqual(routes.toSorted());
});
