// Compiles the layout of mails; with --check it fails when the compiled one is stale.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../services/worker/src/mail');
const COMPILED = join(FOLDER, 'layout.html');

const html = execFileSync(
  'mjml',
  [join(FOLDER, 'layout.mjml'), '--stdout', '--noStdoutFileComment', '--config.validationLevel', 'strict'],
  {
    encoding: 'utf8',
  },
);

if (!process.argv.includes('--check')) writeFileSync(COMPILED, html);
else if (readFileSync(COMPILED, 'utf8') !== html) {
  process.stderr.write('layout.html is stale: run `make docs`\n');
  process.exitCode = 1;
}
