// The program of a MySQL server: one of this machine, or Debian's newest, unpacked into a cache.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

export type Command = readonly [program: string, ...args: string[]];

const INSTALLED = ['mysqld', '/usr/sbin/mysqld'];
/** MariaDB's program may have the same name. */
const MYSQL = /Ver (8\.4|9)\./;
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'shortlist', 'mysql');

/** Returns what a program prints. Throws with the last line of its errors. */
const run = (program: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr?.trim().split('\n').at(-1) ?? 'not found'}`);
  return stdout;
};

const isMysql = (program: string): boolean => {
  try {
    return MYSQL.test(run(program, '--version'));
  } catch {
    return false;
  }
};

/** The unpacked program runs with its own C library, since that of the system may be older. */
const unpacked = (): Command | null => {
  const [loader] = globSync(join(CACHE, 'usr/lib/*/ld-linux-*.so.*'));
  if (loader === undefined) return null;
  const libraries = ['--library-path', dirname(loader)];
  return [loader, ...libraries, join(CACHE, 'usr/sbin/mysqld'), '--no-defaults', `--basedir=${CACHE}/usr`];
};

/** The address from which apt has the packages of this machine. */
const findMirror = (): string => {
  const release = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  const format = ['--format', '$(RELEASE) $(COMPONENT) $(REPO_URI)', 'Created-By: Packages'];
  const targets = run('apt-get', 'indextargets', ...format).split('\n');
  // Of the archives with a suite of this name, only Debian's own has one for updates.
  const target = [`${release}-updates main `, `${release} main `]
    .map((suite) => targets.find((line) => line.startsWith(suite)))
    .find((line) => line !== undefined);
  if (target === undefined) throw new Error('apt knows no archive of Debian');
  return target.split(' ')[2] ?? '';
};

/** Unpacks MySQL from Debian's newest suite. The lists and the state of apt stay apart from those of the system. */
const unpackFromDebian = async (): Promise<Command | null> => {
  if (userInfo().uid !== 0) throw new Error('only root may use apt-get');
  const mirror = findMirror();
  await mkdir(dirname(CACHE), { recursive: true });
  const work = await mkdtemp(`${CACHE}-`);
  const options = [
    `Dir::State=${work}`,
    `Dir::Cache=${work}`,
    `Dir::Etc::sourcelist=${work}/sid.list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::status=${work}/status`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['--option', option]);
  try {
    await writeFile(join(work, 'sid.list'), `deb ${mirror} sid main\n`);
    await writeFile(join(work, 'status'), ''); // nothing counts as installed, so that every library comes along
    await mkdir(join(work, 'archives/partial'), { recursive: true });
    run('apt-get', ...options, 'update');
    run('apt-get', ...options, 'install', '--download-only', '--yes', 'mysql-server-core');
    for (const file of globSync(join(work, 'archives/*.deb')))
      run('dpkg-deb', '--extract', file, join(work, 'root'));
    // Another run may have been faster.
    await rename(join(work, 'root'), CACHE).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return unpacked();
};

/** Returns the command of MySQL 8.4 or 9. Throws when this machine has none and cannot fetch one. */
export const findMysql = async (): Promise<Command> => {
  const program = INSTALLED.find(isMysql);
  const command =
    program === undefined
      ? (unpacked() ?? (await unpackFromDebian()))
      : ([program, '--no-defaults'] as const);
  if (command === null) throw new Error('its packages have no program for this machine');
  return command;
};
