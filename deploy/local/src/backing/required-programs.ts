import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../host/cache-directory.ts';
import { environment } from '../host/config.ts';
import { messageOf, StartError } from '../host/errors.ts';
import type { Print } from '../host/print.ts';
import { findProgram, run } from '../host/programs.ts';
import { withFileLock } from '../waiting/file-lock.ts';
import { DOWNLOAD_LIMITS, runProgram } from '../waiting/run-program.ts';
import { hasKafkaJars } from './kafka-jars.ts';
import type { PartName } from './server.ts';

type Requirement = { title: string; aptPackage: string; isMet(): Promise<boolean> };

const has = (program: string) => (): Promise<boolean> => Promise.resolve(findProgram(program) !== null);

const MIN_JAVA = 17;

const hasJava = async (): Promise<boolean> => {
  const java = findProgram('java');
  if (!java) return false;
  const { ok, output } = await run(java, ['-version']);
  const major = Number(/version "(\d+)/.exec(output)?.[1] ?? 0);
  return ok && major >= MIN_JAVA;
};

const MARIADB: Requirement = {
  title: 'MariaDB 10.11 or newer',
  aptPackage: 'mariadb-server',
  isMet: async () => (await has('mariadbd')()) && (await has('mariadb-install-db')()),
};
const REDIS: Requirement = {
  title: 'Redis 6.2 or newer',
  aptPackage: 'redis-server',
  isMet: has('redis-server'),
};
const JAVA: Requirement = {
  title: 'Java 17 or newer',
  aptPackage: 'openjdk-17-jre-headless',
  isMet: hasJava,
};
const MAVEN: Requirement = { title: 'Maven', aptPackage: 'maven', isMet: has('mvn') };

const requirementsOf = (part: PartName): Requirement[] => {
  switch (part) {
    case 'database':
      return [MARIADB];
    case 'redis':
      return [REDIS];
    case 'kafka':
      return hasKafkaJars() ? [JAVA] : [JAVA, MAVEN];
  }
};

const listUnmet = async (requirements: Requirement[]): Promise<Requirement[]> => {
  const results = await Promise.all(requirements.map((requirement) => requirement.isMet()));
  return requirements.filter((_, index) => results[index] === false);
};

const isDebian = (): boolean => {
  const release = '/etc/os-release';
  return existsSync(release) && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync(release, 'utf8'));
};

const canInstall = (): boolean => userInfo().uid === 0 && isDebian() && findProgram('apt-get') !== null;

// Debian's packages start their daemons at installation unless this file forbids it.
const POLICY = '/usr/sbin/policy-rc.d';

const withoutDaemons = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (existsSync(POLICY)) return work();
  await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    await rm(POLICY, { force: true });
  }
};

// Slim images lack this folder, and the installation of Java fails without it (Debian bug 863199).
const MANUALS = '/usr/share/man/man1';

const aptInstall = async (packages: string[], print: Print): Promise<void> => {
  await mkdir(MANUALS, { recursive: true });
  const apt = (...args: string[]): Promise<void> =>
    runProgram(
      {
        name: `apt-get ${args[0]}`,
        command: 'apt-get',
        args: ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y', ...args],
        logFile: join(cacheDirectory(), 'apt.log'),
        env: { ...environment(), DEBIAN_FRONTEND: 'noninteractive' },
      },
      { print, limits: DOWNLOAD_LIMITS },
    );
  // The lists may be fresh enough although the update of one of them fails.
  await apt('update').catch((error: unknown) => print(messageOf(error)));
  await apt('install', '--no-install-recommends', ...packages);
};

const describeMissing = (missing: Requirement[], cause: string): StartError => {
  const names = missing.map(({ title }) => title).join(', ');
  const packages = missing.map(({ aptPackage }) => aptPackage).join(' ');
  return new StartError(
    `Missing on this machine: ${names}. Install them (on Debian: apt-get install ${packages}), or start Docker, ` +
      `or set DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL and KAFKA_BROKERS.${cause && ` ${cause}`}`,
  );
};

const installMissing = async (requirements: Requirement[], print: Print): Promise<string> =>
  withFileLock('apt', print, async () => {
    const packages = (await listUnmet(requirements)).map(({ aptPackage }) => aptPackage);
    if (packages.length === 0) return '';
    print(`Installing ${packages.join(', ')} with apt-get (once) …`);
    return withoutDaemons(() => aptInstall(packages, print)).then(() => '', messageOf);
  });

/** Throws a `StartError` unless the programs of these parts are installed; as root on Debian it installs them first. */
export const requirePrograms = async (parts: readonly PartName[], print: Print): Promise<void> => {
  const requirements = parts.flatMap(requirementsOf);
  const missing = await listUnmet(requirements);
  if (missing.length === 0) return;
  const cause = canInstall() ? await installMissing(requirements, print) : '';
  const remaining = await listUnmet(requirements);
  if (remaining.length > 0) throw describeMissing(remaining, cause);
};
