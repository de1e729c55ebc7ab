import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { galleryOf } from '../journeys/gallery.ts';

const WEB = join(import.meta.dirname, '../../web/src');

const STATES = Object.values(galleryOf('a-user')).flat();

/** A page that leads to another one at once. */
const REDIRECTS = ['/admin/user-deleted'];

it('the journey of every screen opens every route of the product', () => {
  const pages = readFileSync(join(WEB, 'app/routes.tsx'), 'utf8').matchAll(/'(\/[\w/-]*)': lazyPage\(/g);
  const paths = [...pages].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(30);
  const opened = STATES.map(({ path }) => new URL(path, 'https://shortlist.test').pathname);
  expect([...new Set([...opened, ...REDIRECTS])].toSorted()).toEqual(['/login', ...paths].toSorted());
});

const sources = globSync('**/*.tsx', { cwd: WEB }).map((file) => ({
  file,
  text: readFileSync(join(WEB, file), 'utf8'),
}));

const LAYER = /createPortal|showModal|popover|<dialog\b|role="(?:dialog|alertdialog|menu|listbox)"/;

/** The dialog of a form or a question, which several components fill in. */
const SHARED = 'ChangeDialog';
/** The dialogs of the kit that are apart from it, because no first page has them. */
const SEPARATE = ['CopyOnce', 'FormDialog'];

it('the journey of what opens over a screen opens every layer of the product', () => {
  const kit = sources.filter(({ text }) => LAYER.test(text));
  expect(kit.map(({ file }) => file).toSorted()).toEqual([
    'ui/combobox.tsx',
    'ui/dialog.tsx',
    'ui/menu.tsx',
    'ui/side-sheet.tsx',
  ]);
  const layers = kit.flatMap(({ text }) =>
    [...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name),
  );
  const use = new RegExp(`<(?:${[...layers, ...SEPARATE, SHARED, 'details'].join('|')})\\b`, 'g');
  const shown = sources
    .filter(({ file }) => !file.startsWith('ui/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(use)].map(({ index }) => {
        const components = [...text.slice(0, index).matchAll(/^(?:export )?const (\w+)/gm)];
        return `${file} ${components.at(-1)?.[1]}`;
      }),
    )
    .filter((component) => !component.endsWith(` ${SHARED}`));
  expect(shown.length).toBeGreaterThan(25);
  const opened = STATES.flatMap(({ opens }) => opens?.component ?? []);
  expect([...new Set(opened)].toSorted()).toEqual([...new Set(shown)].toSorted());
});
