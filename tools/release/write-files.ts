// Writes the files of the release that this source tree is, into dist/release. The argument names a file with the digests of the images.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from './files.ts';
import { parseDigests } from './images.ts';

const ROOT = join(import.meta.dirname, '../..');
const [file] = process.argv.slice(2);
try {
  const digests = file === undefined ? null : parseDigests(readFileSync(file, 'utf8'), ROOT);
  process.stdout.write(`${writeFiles(ROOT, digests)}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
