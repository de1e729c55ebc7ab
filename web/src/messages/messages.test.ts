import type { Catalogue } from '@shortlist/contracts/messages';
import { expect, it } from 'vitest';

type Exports = Record<string, Catalogue<Record<string, string>>>;

const catalogues = Object.values(
  import.meta.glob<Exports>(['./*.ts', '!./*.test.ts'], { eager: true }),
).flatMap((exports) => Object.entries(exports));

it.each(catalogues)('%s has texts that can be parsed, without space around them', (_name, catalogue) => {
  expect(Object.keys(catalogue.entries)).not.toEqual([]);
  for (const [key, text] of Object.entries(catalogue.entries)) {
    // A value that is missing is another error than a text that cannot be parsed.
    expect(() => catalogue.rich(key, {}), text).not.toThrow(SyntaxError);
    expect(text).toBe(text.trim());
  }
});
