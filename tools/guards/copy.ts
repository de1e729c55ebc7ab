import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const SERVICE_CALLER = '@shortlist';
/** Workspaces with packages of their own beside those of the root. */
const WITH_PACKAGES = ['deploy/local', 'web'];

/** What git knows of and what it would take in: no build, no local data, no secret. */
const listSources = async (root: string): Promise<string[]> => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 64 << 20 });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
};

/** Links to the packages. Our own must lead into the copy: with the root's links the untouched sources would be tested. */
const linkPackages = async (root: string, copy: string): Promise<void> => {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  await mkdir(join(to, SERVICE_CALLER), { recursive: true });
  for (const name of await readdir(from))
    if (name !== SERVICE_CALLER && name !== '.cache') await symlink(join(from, name), join(to, name));
  for (const name of await readdir(join(from, SERVICE_CALLER)))
    await symlink(await readlink(join(from, SERVICE_CALLER, name)), join(to, SERVICE_CALLER, name));
  for (const workspace of WITH_PACKAGES) {
    const packages = join(workspace, 'node_modules');
    if (existsSync(join(root, packages))) await symlink(join(root, packages), join(copy, packages));
  }
};

/** A copy of the sources as they are now, in which tests run. */
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
