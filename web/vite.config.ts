import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin, type ProxyOptions } from 'vite';
import { buildOptions, productionAliases } from './build-options.ts';
import { endpointsWithoutSchemas } from './endpoints-without-schemas.ts';
import { FONT, referencePage } from './reference-page.ts';
import { prerenderLogin } from './src/app/prerender-login.tsx';

/** Proxies API calls and pictures of the development server to bff at BFF_URL. Bff sees its own origin. */
const bffProxy = (mode: string): Record<string, ProxyOptions> => {
  const { BFF_URL: target = 'http://localhost:5000' } = loadEnv(mode, import.meta.dirname, 'BFF_');
  const bff = { target, headers: { origin: target } };
  return { '/api': bff, '/profile_pictures': bff };
};

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/;

/** Puts the login screen into the page, preloads its font, and leaves it to start.js when the application starts. */
const prerenderedLogin = (): Plugin => ({
  name: 'prerendered-login',
  apply: 'build',
  transformIndexHtml: (html, { bundle = {} }) => {
    const font = Object.keys(bundle).find((name) => FONT.test(name));
    const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
    return {
      html: html
        .replace('<div id="root"></div>', `<div id="root">${prerenderLogin()}</div>`)
        .replace(ENTRY, '<link rel="modulepreload" data-start crossorigin href="$1">'),
      tags: font === undefined ? [] : [{ tag: 'link', attrs, injectTo: 'head' }],
    };
  },
});

const COMPRESSIBLE = /\.(js|css|svg)$/;

/** Nearly as small as level 11, in a tenth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes compressed copies next to each file. Bff sends them to clients that accept the encoding. */
const compress = (): Plugin => ({
  name: 'compress',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const names = (await readdir(dir, { recursive: true })).filter((name) => COMPRESSIBLE.test(name));
    for (const path of names.map((name) => join(dir, name))) {
      const bytes = await readFile(path);
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, BROTLI));
    }
  },
});

export default defineConfig(({ mode, command }) => ({
  resolve: { alias: command === 'build' ? productionAliases : [] },
  plugins: [react(), endpointsWithoutSchemas(), prerenderedLogin(), referencePage(), compress()],
  build: {
    ...buildOptions,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: bffProxy(mode) },
}));
