import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.local', 'test-results', 'playwright-report']);
// Composed of parts, so that this file does not match.
const SUPPRESSION = new RegExp(
  `(?:es|ox)lint-${'disable'}|@ts-${'(ignore|nocheck|expect-error)'}|prettier-${'ignore'}`,
);
const REASON = / -- \S.{10,}|@ts-expect-error:? \S.{10,}/;
const WHOLE_FILE = new RegExp(`/\\*\\s*(?:es|ox)lint-${'disable'}(?!-)|@ts-${'(ignore|nocheck)'}`);

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });

it('every suppression covers one line and states its reason', () => {
  const files = filesIn(ROOT).filter((path) => /\.(ts|tsx|js|cjs)$/.test(path));
  expect(files.length).toBeGreaterThan(300);
  const withoutReason = files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((text, index) => ({ text, where: `${path.slice(ROOT.length + 1)}:${index + 1}` }))
      .filter(({ text }) => SUPPRESSION.test(text) && (WHOLE_FILE.test(text) || !REASON.test(text)))
      .map(({ where }) => where),
  );
  expect(withoutReason).toEqual([]);
});
