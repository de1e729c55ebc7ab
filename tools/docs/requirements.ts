// Prints the test files that name the requirements of docs/requirements.md: node tools/docs/requirements.ts A6 B3. Without ids it
// fails when an id has no test, or when a test names an unknown id.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = '{bff,packages/*,services/*,web,deploy/*,tests,tools}/**/*.{test,spec}.{ts,tsx}';
/** The ids at the beginning of a string: a title of a test, or a part from which it is made. */
const NAMED = /['"`]((?:[A-KSVX]\d{1,2}[ :,]+)+)/g;
const ID = /[A-Z]\d{1,2}/g;
const ENTRY = /^- \*\*([A-Z]\d{1,2})\*\* ./gm;

const files = globSync(TESTS, { cwd: ROOT, exclude: (path) => path.includes('node_modules') });
const filesById = new Map<string, Set<string>>();
for (const file of files.toSorted())
  for (const [, named = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(NAMED))
    for (const [id] of named.matchAll(ID)) filesById.set(id, (filesById.get(id) ?? new Set()).add(file));

const page = readFileSync(join(ROOT, 'docs/requirements.md'), 'utf8');
const known = new Set([...page.matchAll(ENTRY)].map(([, id = '']) => id));

const requested = process.argv.slice(2);
const lines =
  requested.length > 0
    ? requested.map((id) => [id, ...(filesById.get(id) ?? [])].join('\n'))
    : [
        ...[...known].filter((id) => !filesById.has(id)).map((id) => `${id}: no test names it`),
        ...[...filesById]
          .filter(([id]) => !known.has(id))
          .map(([id, named]) => `${id}: named by ${[...named].join(', ')} and not in docs/requirements.md`),
      ];
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
process.exitCode = requested.length === 0 && lines.length > 0 ? 1 : 0;
