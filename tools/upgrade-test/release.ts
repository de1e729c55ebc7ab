// An earlier release of this repository, ready to run: its files, packages and built pages, kept for the next run.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LOCAL_DIRECTORY, REPOSITORY } from '@shortlist/local/host/config';
import { DOWNLOAD_LIMIT_MS, runProgram } from '@shortlist/local/host/wait';

export type Release = { commit: string; root: string };

const execute = promisify(execFile);

export const git = async (...args: string[]): Promise<string> =>
  (await execute('git', ['-C', REPOSITORY, ...args])).stdout.trim();

type Print = (line: string) => void;

/** Prepares the release of a tag or commit in `.local/releases`. Throws if its packages cannot be installed. */
export const prepareRelease = async (from: string, print: Print): Promise<Release> => {
  const commit = await git('rev-parse', '--short=10', `${from}^{commit}`);
  const folder = join(LOCAL_DIRECTORY, 'releases');
  const root = join(folder, commit);
  if (existsSync(root)) return { commit, root };
  const unfinished = `${root}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const archive = join(folder, `${commit}.tar`);
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await execute('tar', ['-xf', archive, '-C', unfinished]);
  await rm(archive);
  const npm = (name: string, args: string[]): Promise<void> => {
    print(`${name} of ${commit} …`);
    const logFile = join(folder, `${commit}.log`);
    const program = { name, command: 'npm', args, cwd: unfinished, logFile, env: process.env };
    return runProgram(program, { limitMs: DOWNLOAD_LIMIT_MS });
  };
  await npm('packages', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  await npm('pages', ['run', 'build', '--workspace', 'web']);
  await rename(unfinished, root);
  return { commit, root };
};
