import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AliasOptions, BuildOptions } from 'vite';

/** How the scripts of the browser are built, for the product and for the check of what it loads first. */
export const buildOptions = {
  target: 'es2022',
  // Fonts and pictures stay files: the content security policy allows no data URLs for fonts.
  assetsInlineLimit: 0,
  // Browsers that preload no modules load the same files a moment later.
  modulePreload: { polyfill: false },
  rolldownOptions: {
    output: {
      codeSplitting: {
        groups: [
          // The libraries of the first load have a file of their own: a release of the product leaves it in the browser's cache.
          {
            name: 'vendor',
            tags: ['$initial'],
            test: /node_modules\/(?!lucide)|rolldown\/runtime/,
            priority: 2,
          },
          { name: 'first', tags: ['$initial'], priority: 1 },
          // Loaded after the page around it.
          { name: 'charts', test: /ui\/bar-chart|apexcharts/, priority: 1 },
          // One file of what several pages share, instead of one for each icon. Not the schemas, with which Joi would come.
          {
            name: 'common',
            test: /web\/src\/|contracts\/src\/(?!schemas)|lucide/,
            minShareCount: 3,
          },
        ],
      },
    },
  },
} satisfies BuildOptions;

const ROUTER = join(createRequire(import.meta.url).resolve('react-router'), '../../production');

/** react-router's package leads to the build with the warnings of development, also in production. */
export const productionAliases = [
  { find: /^react-router$/, replacement: join(ROUTER, 'index.mjs') },
  { find: /^react-router\/dom$/, replacement: join(ROUTER, 'dom-export.mjs') },
] satisfies AliasOptions;
