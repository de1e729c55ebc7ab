// Writes into docs/requirements.md which test files name each requirement; with --check it fails when the page is stale, when a
// test names an unknown id, or when an id has no test.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/requirements.md');
const TEST_FILE = /\.(test|spec)\.tsx?$/;
const ID = /\b[A-KSVX]\d{1,2}\b/g;
const LEADING_ID = /^[A-KSVX]\d{1,2}(?=[ :])/g;
/** An entry of the page: the id, its text, and the generated list of tests. */
const ENTRY = /^- \*\*([A-Z]\d{1,2})\*\* (.*)$/;
const PROOF = /^ {2}Tests: /;

const isTitled = (callee: ts.Expression): boolean =>
  /^(it|test|describe)\b/.test(callee.getText().replace(/\s+/g, ' '));

/** The ids that a test file proves: those in its titles, and at the beginning of the strings from which it makes titles. */
export const idsIn = (file: string, source: string): Set<string> => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const ids = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = node.getText(tree).slice(1);
      const isTitle = ts.isCallExpression(node.parent) && isTitled(node.parent.expression);
      for (const [id] of text.matchAll(isTitle ? ID : LEADING_ID)) ids.add(id);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return ids;
};

const readTests = (): Map<string, string[]> => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n');
  const byId = new Map<string, string[]>();
  for (const file of files.filter((name) => TEST_FILE.test(name)).toSorted())
    for (const id of idsIn(file, readFileSync(join(ROOT, file), 'utf8')))
      byId.set(id, [...(byId.get(id) ?? []), file]);
  return byId;
};

/** The page with its lists of tests, and what is wrong with it. */
export const render = (
  page: string,
  tests: ReadonlyMap<string, string[]>,
): { text: string; problems: string[] } => {
  const known = new Set<string>();
  const problems: string[] = [];
  const lines = page.split('\n').filter((line) => !PROOF.test(line));
  const text = lines
    .flatMap((line) => {
      const id = ENTRY.exec(line)?.[1];
      if (id === undefined) return [line];
      known.add(id);
      const files = tests.get(id) ?? [];
      if (files.length === 0) problems.push(`${id}: no test names it`);
      return [line, `  Tests: ${files.map((file) => `\`${file}\``).join(', ')}`];
    })
    .join('\n');
  for (const [id, files] of tests)
    if (!known.has(id)) problems.push(`${id}: named by ${files.join(', ')} and not in docs/requirements.md`);
  return { text, problems };
};

if (import.meta.main) {
  const page = readFileSync(PAGE, 'utf8');
  const { text, problems } = render(page, readTests());
  if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
  else if (text !== page) problems.push('docs/requirements.md is stale: run `make docs`');
  process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
