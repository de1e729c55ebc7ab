// Whether this machine has what a start needs.
import { constants } from 'node:fs';
import { access, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { days } from '@shortlist/contracts/durations';
import { listPartsToStart } from '../backing/backing.ts';
import { isEngineRunning } from '../backing/containers.ts';
import { findMissingPrograms } from '../backing/native-servers.ts';
import { findBrowser, findBrowserWithExtensions } from '../host/browsers.ts';
import { LOCAL_DIRECTORY, REPOSITORY } from '../host/config.ts';
import { findProgram } from '../host/programs.ts';
import { changedAt, isWebFresh } from '../system/web.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

export const checkNode = (version: string, wanted: string): Finding[] =>
  Number.parseInt(version) < Number.parseInt(wanted)
    ? problem(`Node ${version} is too old; npm ci installs Node ${wanted} into this folder`)
    : ok(`Node ${version}`);

export const checkPackages = async (): Promise<Finding[]> => {
  const [wanted = 0, installed = 0] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map(changedAt),
  );
  if (installed < wanted)
    return warning('The packages are older than package-lock.json; make start runs npm ci first');
  return ok('The packages match package-lock.json');
};

/** npm builds the pages. */
export const checkNpm = async (): Promise<Finding[]> => {
  if (findProgram('npm') !== null) return ok('npm is installed');
  const text = 'npm is missing: install Node with npm';
  return (await isWebFresh()) ? warning(text) : problem(`${text}, which builds the pages`);
};

export const checkServers = async (): Promise<Finding[]> => {
  const parts = listPartsToStart();
  if (parts.length === 0) return ok('The environment gives the addresses of the servers');
  const names = parts.join(', ');
  if (await isEngineRunning()) return ok(`A Docker engine runs ${names}`);
  const missing = await findMissingPrograms(parts);
  if (missing === null) return ok(`The programs for ${names} are installed; no Docker engine is running`);
  return missing.isInstalledByStart
    ? warning(`${missing.text} make start installs them with apt-get`)
    : problem(missing.text);
};

export const checkBrowsers = (): Finding[] => {
  if (findBrowser() !== undefined && findBrowserWithExtensions() !== undefined)
    return ok('Chromium is installed, for the journeys of make test');
  return warning(
    'Chromium is missing for journeys of make test (on Debian: apt-get install chromium-headless-shell chromium)',
  );
};

// Measured: 0.9 GB at rest after a first start, and 0.2 GB of files. Under load the heap of Kafka and the cache of MariaDB grow.
const NEEDED_MEMORY = 1.5 * 2 ** 30;
const NEEDED_DISK = 2 ** 29;

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

export const checkMemory = (available: number): Finding[] => {
  // macOS counts what it could free at once as used.
  if (process.platform !== 'linux') return [];
  const text = `${gigabytes(available)} of memory are free`;
  if (available >= NEEDED_MEMORY) return ok(text);
  return warning(`${text}, the product takes ${gigabytes(NEEDED_MEMORY)}; end other programs`);
};

export const checkDisk = async (directory = REPOSITORY): Promise<Finding[]> => {
  const { bavail, bsize } = await statfs(directory);
  const text = `${gigabytes(bavail * bsize)} of disk are free`;
  if (bavail * bsize >= NEEDED_DISK) return ok(text);
  return problem(
    `${text}, the product takes ${gigabytes(NEEDED_DISK)}; delete files, or local data: make reset`,
  );
};

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );

/** Lists a folder and two levels of what is in it: an earlier start by another user leaves files that this one cannot write. */
const listPaths = async (path: string, levels = 2): Promise<string[]> => {
  const entries = levels === 0 ? [] : await readdir(path).catch(() => []);
  const inside = await Promise.all(entries.map((entry) => listPaths(join(path, entry), levels - 1)));
  return [path, ...inside.flat()];
};

export const checkFolder = async (directory = LOCAL_DIRECTORY): Promise<Finding[]> => {
  const found = await stat(directory).catch(() => null);
  if (found && !found.isDirectory())
    return problem(`${directory} is a file, where data need a folder; move it away`);
  const paths = found ? await listPaths(directory) : [dirname(directory)];
  const writable = await Promise.all(paths.map(isWritable));
  const refused = paths.find((_, index) => !writable[index]);
  if (refused === undefined) return ok(`${relative(REPOSITORY, directory) || directory} can be written`);
  const owned = found ? directory : dirname(directory);
  return problem(`${refused} cannot be written; make it yours: sudo chown -R "$USER" ${owned}`);
};

/** A file of the future says that the clock is behind. What make and the build of the pages compare are times of files. */
export const checkClock = async (now: number): Promise<Finding[]> => {
  const files = ['package-lock.json', 'node_modules/.package-lock.json', 'web/dist/index.html'];
  const latest = Math.max(...(await Promise.all(files.map(changedAt))));
  if (latest <= now + days(1)) return ok('The clock is not behind the files of this folder');
  return warning(
    `The clock says ${new Date(now).toISOString()}, before files of this folder; set it, as log-ins, Stripe and builds compare times`,
  );
};

/** Twice what make dev uses (measured: 8 and 7,834), since editors of the same user take their share. */
const WATCHES = { max_user_instances: 16, max_user_watches: 16_384 };

export const checkWatches = async (directory = '/proc/sys/fs/inotify'): Promise<Finding[]> => {
  const limits = await Promise.all(
    Object.entries(WATCHES).map(async ([name, needed]) => {
      const text = await readFile(join(directory, name), 'utf8').catch(() => String(needed));
      return { name, needed, limit: Number(text) };
    }),
  );
  const low = limits.filter(({ limit, needed }) => limit < needed);
  if (low.length === 0) return ok('The limits of watched files are enough for make dev');
  const settings = low.map(({ name, needed }) => `fs.inotify.${name}=${needed}`).join(' ');
  return warning(`The limits of watched files are too low for make dev: sudo sysctl ${settings}`);
};
