// Fails when a comment, a sentence in a string, or a document uses a word that docs/glossary.md replaces.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { DENIED_PHRASES } from './vocabulary.ts';

const ROOT = join(import.meta.dirname, '../..');
const CODE = /\.(ts|tsx|js|cjs)$/;
const PROSE = /\.(md|scss|css|ya?ml|html|sh|env|example|tpl|txt)$|(^|\/)(Makefile|Dockerfile|\.ci\/run)$/;
/** The lists themselves, and what other people wrote. */
const EXCLUDED =
  /^(tools\/check\/vocabulary|docs\/glossary\.md|LICENSE|package-lock\.json|tests\/checks\/vocabulary)/;

type Passage = { line: number; text: string };

const isSentence = (text: string): boolean => /\s/.test(text.trim());

/** The comments of a source file, and its string literals that have more than one word. */
const passagesOfCode = (file: string, source: string): Passage[] => {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const found: Passage[] = [];
  const seen = new Set<number>();
  const add = (start: number, end: number): void => {
    if (seen.has(start)) return;
    seen.add(start);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ line, text: source.slice(start, end) });
  };
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ])
      add(range.pos, range.end);
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);
    if (isText && isSentence(node.getText(tree))) add(node.getStart(tree), node.getEnd());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
};

const passagesOfProse = (source: string): Passage[] =>
  source.split('\n').map((text, index) => ({ line: index + 1, text }));

/** Each use of a denied phrase in a file, as `file:line: phrase → replacement`. */
export const findDenied = (file: string, source: string): string[] => {
  const passages = CODE.test(file) ? passagesOfCode(file, source) : passagesOfProse(source);
  return passages.flatMap(({ line, text }) =>
    DENIED_PHRASES.flatMap(({ pattern, use }) => {
      const match = pattern.exec(text);
      return match ? [`${file}:${line}: '${match[0]}' → ${use}`] : [];
    }),
  );
};

const listFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => (CODE.test(file) || PROSE.test(file)) && !EXCLUDED.test(file));

if (import.meta.main) {
  const files = listFiles();
  const denied = files.flatMap((file) => findDenied(file, readFileSync(join(ROOT, file), 'utf8')));
  process.stdout.write(`${[...denied, `${files.length} files`].join('\n')}\n`);
  if (denied.length > 0 || files.length < 300) process.exitCode = 1;
}
