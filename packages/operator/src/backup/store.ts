// Where backups are kept: a folder, or any remote of rclone, such as a bucket of an S3-compatible store.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Environment } from '@shortlist/kit/process/config';
import { readTool, runTogether, startTool } from './tool.ts';

export type Store = {
  /** The names of all files, with folders separated by slashes. */
  list: () => Promise<string[]>;
  /** Calls `use` with the content; rejects unless all of it was read. */
  read: (name: string, use: (content: Readable, signal: AbortSignal) => Promise<unknown>) => Promise<void>;
  /** A file appears under its name when all of it is written. */
  write: (name: string, content: Readable, signal?: AbortSignal) => Promise<void>;
  remove: (name: string) => Promise<void>;
};

type Context = { env: Environment; signal: AbortSignal };

/** Ends the name of a file that is being written. */
const PARTIAL = '.partial';

const openFolder = (folder: string, { signal: limit }: Context): Store => ({
  list: async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      },
    );
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  },
  read: (name, use) => runTogether(limit, (signal) => [use(createReadStream(join(folder, name)), signal)]),
  write: async (name, content, signal = limit) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}${PARTIAL}`;
    try {
      await pipeline(content, createWriteStream(draft, { mode: 0o600 }), { signal });
      const file = await open(draft);
      await file.sync(); // a power cut must not leave a name without its content
      await file.close();
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },
  remove: (name) => rm(join(folder, name), { force: true }),
});

/**
 * rclone gives up on a connection or a transfer that stands still for so long. S3 takes 10,000 parts of a file, of which two are in memory at a
 * time: with rclone's 5 MB a dump would fail at 48 GB.
 */
const RCLONE_LIMITS = [
  '--contimeout',
  '30s',
  '--timeout',
  '2m',
  '--retries',
  '3',
  '--low-level-retries',
  '5',
  '--s3-chunk-size',
  '32M',
  '--s3-upload-concurrency',
  '2',
];

const openRemote = (remote: string, { env, signal: limit }: Context): Store => {
  const root = remote.replace(/\/$/, '');
  const rclone = (...args: string[]) => ({ program: 'rclone', args: [...args, ...RCLONE_LIMITS], env });
  const pathOf = (name: string): string => (root.endsWith(':') ? `${root}${name}` : `${root}/${name}`);
  return {
    list: async () => {
      const printed = await readTool(rclone('lsf', '--recursive', '--files-only', root), limit).catch(
        (error: Error) => {
          if (error.message.includes('directory not found')) return '';
          throw error;
        },
      );
      return printed.split('\n').filter(Boolean);
    },
    read: (name, use) =>
      runTogether(limit, (signal) => {
        const { stdin, stdout, ended } = startTool(rclone('cat', pathOf(name)), signal);
        stdin.end();
        return [ended, use(stdout, signal)];
      }),
    // An interrupted upload may appear with the part that arrived: manifests are written last, and state sizes and checksums.
    write: (name, content, outer = limit) =>
      runTogether(outer, (signal) => {
        const { stdin, stdout, ended } = startTool(rclone('rcat', pathOf(name)), signal);
        stdout.resume();
        return [pipeline(content, stdin, { signal }), ended];
      }),
    remove: async (name) => void (await readTool(rclone('deletefile', pathOf(name)), limit)),
  };
};

/** Opens the store at an absolute path, or at `remote:path` of rclone. */
export const openStore = (address: string, context: Context): Store =>
  address.startsWith('/') ? openFolder(address, context) : openRemote(address, context);

export const readText = async (store: Store, name: string): Promise<string> => {
  let content = '';
  await store.read(name, async (stream) => {
    content = await text(stream);
  });
  return content;
};

export const writeText = (store: Store, name: string, content: string): Promise<void> =>
  store.write(name, Readable.from([content]));
