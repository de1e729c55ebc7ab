// make release v=1.0.1: releases a version of this source tree (docs/releasing.md).
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { release } from './release.ts';

const ROOT = join(import.meta.dirname, '../..');
const [version = ''] = process.argv.slice(2);

const runChecks = (): void => {
  execFileSync('node', ['tools/check/main.ts'], { cwd: ROOT, stdio: 'inherit' });
};

try {
  const folder = release({ root: ROOT, version, runChecks });
  process.stdout.write(`Version ${version} is committed and tagged; its files are in ${folder}.
Look at both, then publish it, which starts the workflow that builds, signs and releases the images:

    git push --atomic origin HEAD v${version}

To take it back before that: git tag --delete v${version}, and reset the commit.
`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
