import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

const REDOC = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');

/** The file of the product's font that has Latin letters, among those of a build. */
export const FONT = /hanken-grotesk-latin-wght-normal-[^.]+\.woff2$/;

const FILES: Record<string, (folder: string) => Promise<string>> = {
  'redoc.js': () => readFile(REDOC, 'utf8'),
  'start.js': (folder) => readFile(join(folder, 'start.js'), 'utf8'),
  'page.css': (folder) => readFile(join(folder, 'page.css'), 'utf8'),
};

/** Writes reference.html, which bff serves as the reference of the API for tools, and its files. The application loads none of them. */
export const referencePage = (): Plugin => ({
  name: 'reference-page',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const folder = join(import.meta.dirname, 'reference');
    const font = Object.keys(bundle).find((name) => FONT.test(name)) ?? '';
    let page = await readFile(join(folder, 'page.html'), 'utf8');
    for (const [name, read] of Object.entries(FILES)) {
      const source = (await read(folder)).replace('{{font}}', `/${font}`);
      const reference = this.emitFile({ type: 'asset', name, source });
      page = page.replace(`{{${name}}}`, `/assets/${basename(this.getFileName(reference))}`);
    }
    this.emitFile({ type: 'asset', fileName: 'reference.html', source: page });
    const licenses = await readFile(`${REDOC}.LICENSE.txt`, 'utf8');
    this.emitFile({ type: 'asset', fileName: `assets/${basename(REDOC)}.LICENSE.txt`, source: licenses });
  },
});
