// Prints the test files that name the requirements of docs/requirements.md: node tools/docs/requirements.ts A6 B3. Without ids it
// fails when an id has no test, or when a test names an unknown id.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/requirements.md');
const TEST_FILE = /\.(test|spec)\.tsx?$/;
const ID = /\b[A-KSVX]\d{1,2}\b/g;
const LEADING_ID = /^[A-KSVX]\d{1,2}(?=[ :])/g;
/** An entry of the page, on one line: the id and its text. */
const ENTRY = /^- \*\*([A-Z]\d{1,2})\*\* ./gm;

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

/** The ids of the page without a test, and those of tests that the page does not have. */
export const problemsOf = (page: string, tests: ReadonlyMap<string, string[]>): string[] => {
  const ids = new Set([...page.matchAll(ENTRY)].map(([, id = '']) => id));
  return [
    ...[...ids].filter((id) => !tests.has(id)).map((id) => `${id}: no test names it`),
    ...[...tests]
      .filter(([id]) => !ids.has(id))
      .map(([id, files]) => `${id}: named by ${files.join(', ')} and not in docs/requirements.md`),
  ];
};

if (import.meta.main) {
  const tests = readTests();
  const ids = process.argv.slice(2);
  for (const id of ids) process.stdout.write(`${id}\n${(tests.get(id) ?? []).join('\n')}\n`);
  const problems = ids.length > 0 ? [] : problemsOf(readFileSync(PAGE, 'utf8'), tests);
  process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
