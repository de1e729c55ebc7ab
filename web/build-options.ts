import type { BuildOptions } from 'vite';

/** How the scripts of the browser are built, for the product and for the check of what it loads first. */
export const buildOptions = {
  target: 'es2022',
  // Fonts and pictures stay files: the content security policy allows no data URLs for fonts.
  assetsInlineLimit: 0,
  rolldownOptions: {
    output: {
      // One file of what nearly every page imports, instead of a dozen that each compress by themselves: 2 % less to load first.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 20 }] },
    },
  },
} satisfies BuildOptions;
