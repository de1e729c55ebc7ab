import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { environment } from '../config.ts';
import { StartFailure } from '../errors.ts';
import { findProgram, lastLines, run } from '../programs.ts';
import type { Tell } from '../tell.ts';
import { withLock } from '../with-lock.ts';
import { kafkaJarsAreHere } from './kafka-jars.ts';
import type { PartName } from './part.ts';

type Requirement = { what: string; aptPackage: string; isMet(): Promise<boolean> };

const has = (program: string) => (): Promise<boolean> => Promise.resolve(findProgram(program) !== null);

const OLDEST_JAVA = 17;

const hasJava = async (): Promise<boolean> => {
  const java = findProgram('java');
  if (!java) return false;
  const { ok, output } = await run(java, ['-version']);
  const major = Number(/version "(\d+)/.exec(output)?.[1] ?? 0);
  return ok && major >= OLDEST_JAVA;
};

const MARIADB: Requirement = {
  what: 'MariaDB 10.11 or newer',
  aptPackage: 'mariadb-server',
  isMet: async () => (await has('mariadbd')()) && (await has('mariadb-install-db')()),
};
const REDIS: Requirement = {
  what: 'Redis 6.2 or newer',
  aptPackage: 'redis-server',
  isMet: has('redis-server'),
};
const JAVA: Requirement = { what: 'Java 17 or newer', aptPackage: 'openjdk-17-jre-headless', isMet: hasJava };
const MAVEN: Requirement = { what: 'Maven', aptPackage: 'maven', isMet: has('mvn') };

const requirementsOf = (part: PartName): Requirement[] => {
  switch (part) {
    case 'database':
      return [MARIADB];
    case 'redis':
      return [REDIS];
    case 'kafka':
      return kafkaJarsAreHere() ? [JAVA] : [JAVA, MAVEN];
  }
};

const unmet = async (requirements: Requirement[]): Promise<Requirement[]> => {
  const answers = await Promise.all(requirements.map((requirement) => requirement.isMet()));
  return requirements.filter((_, index) => answers[index] === false);
};

const isDebian = (): boolean => {
  const release = '/etc/os-release';
  return existsSync(release) && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync(release, 'utf8'));
};

const canInstall = (): boolean => userInfo().uid === 0 && isDebian() && findProgram('apt-get') !== null;

// Debian starts a server's daemon while it installs the package, unless this file forbids it.
const POLICY = '/usr/sbin/policy-rc.d';

const withoutStartingDaemons = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (existsSync(POLICY)) return work();
  await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    await rm(POLICY, { force: true });
  }
};

// Slim images leave this folder out, and Java's package cannot be set up without it (Debian bug 863199).
const MANUALS = '/usr/share/man/man1';

const aptInstall = async (packages: string[]): Promise<string> => {
  await mkdir(MANUALS, { recursive: true });
  const env = { ...environment(), DEBIAN_FRONTEND: 'noninteractive' };
  const timeouts = ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y'];
  const update = await run('apt-get', [...timeouts, 'update'], { env });
  const install = await run('apt-get', [...timeouts, 'install', '--no-install-recommends', ...packages], {
    env,
  });
  return install.ok ? '' : lastLines(`${update.output}\n${install.output}`, 5);
};

const explain = (missing: Requirement[], detail: string): StartFailure => {
  const names = missing.map(({ what }) => what).join(', ');
  const packages = missing.map(({ aptPackage }) => aptPackage).join(' ');
  const cause = detail ? `\napt-get said:\n${detail}` : '';
  return new StartFailure(
    `Missing on this machine: ${names}. Install them (on Debian: apt-get install ${packages}), or start Docker, ` +
      `or give DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL and KAFKA_BROKERS.${cause}`,
  );
};

/** Sees to it that the native programs of these parts are here, by apt-get where that is possible. */
export const requirePrograms = async (parts: readonly PartName[], tell: Tell): Promise<void> => {
  const requirements = parts.flatMap(requirementsOf);
  if ((await unmet(requirements)).length === 0) return;
  if (!canInstall()) throw explain(await unmet(requirements), '');
  const detail = await withLock('apt', async () => {
    const packages = (await unmet(requirements)).map(({ aptPackage }) => aptPackage);
    if (packages.length === 0) return '';
    tell(`Installing ${packages.join(', ')} with apt-get (once) …`);
    return withoutStartingDaemons(() => aptInstall(packages));
  });
  const still = await unmet(requirements);
  if (still.length > 0) throw explain(still, detail);
};
