import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const STYLES = join(import.meta.dirname, '../src/styles');

// An open chart took most of the browser's time by two such selectors.
it('no style depends on what is anywhere in the page: each element added to it would compute all styles again', () => {
  const selectors = globSync('**/*.scss', { cwd: STYLES }).flatMap((file) =>
    [
      ...readFileSync(join(STYLES, file), 'utf8').matchAll(
        /(?:html|body|:root|\.shell|main)[^\s,{]*:has\([^{]*/g,
      ),
    ].map(([selector]) => `${file}: ${selector.trim()}`),
  );
  expect(selectors).toEqual([]);
});
