import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The npm scope of our own packages. */
const SCOPE = '@shortlist';
/** Workspaces with installed packages of their own, beside those of the root. */
const WITH_PACKAGES = ['deploy/local', 'web'];

/** Lists the tracked files and the new ones that git does not ignore: no build, no local data, no secret. */
const listSources = async (root: string): Promise<string[]> => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 64 << 20 });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
};

/** Links the installed packages. Links to our own workspaces stay relative, so that they resolve inside the copy. */
const linkPackages = async (root: string, copy: string): Promise<void> => {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  await mkdir(join(to, SCOPE), { recursive: true });
  for (const name of await readdir(from))
    if (name !== SCOPE && name !== '.cache') await symlink(join(from, name), join(to, name));
  for (const name of await readdir(join(from, SCOPE)))
    await symlink(await readlink(join(from, SCOPE, name)), join(to, SCOPE, name));
  for (const workspace of WITH_PACKAGES) {
    const packages = join(workspace, 'node_modules');
    if (existsSync(join(root, packages))) await symlink(join(root, packages), join(copy, packages));
  }
};

/** Copies the current sources to a temporary directory in which tests can run. */
export const copyRepository = async (
  root: string,
): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'shortlist-guards-'));
  for (const file of await listSources(root)) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await copyFile(join(root, file), join(path, file));
  }
  await linkPackages(root, path);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};
