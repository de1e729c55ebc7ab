import type { BuildOptions } from 'vite';

/** How the scripts of the browser are built, for the product and for the check of what it loads first. */
export const buildOptions = {
  target: 'es2022',
  // Fonts and pictures stay files: the content security policy allows no data URLs for fonts.
  assetsInlineLimit: 0,
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
