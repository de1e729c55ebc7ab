import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '@shortlist/local/host/config';
import { WORKSPACES } from '@shortlist/local/system/processes';
import { run } from './commands.ts';
import type { Target } from './target.ts';

const BACKING = ['mariadb:10.11', 'redis:7.2-bookworm', 'apache/kafka:4.1.0'];
const BUILD_MS = 20 * 60_000;

const namesOf = ({ prefix }: Target, tag: string): string[] =>
  Object.keys(WORKSPACES).map((name) => `${prefix}${name}:${tag}`);

const exists = (image: string): Promise<boolean> =>
  run('docker', ['image', 'inspect', image]).then(
    () => true,
    () => false,
  );

/** Builds the images of a source tree. */
const build = async (target: Target, tag: string, root: string): Promise<void> => {
  for (const [name, workspace] of Object.entries(WORKSPACES)) {
    const image = `${target.prefix}${name}:${tag}`;
    const stage = name === 'bff' ? 'bff' : 'service';
    const args = ['build', '-q', '-f', join(root, 'deploy/Dockerfile'), '--target', stage];
    await run('docker', [...args, '--build-arg', `WORKSPACE=${workspace}`, '-t', image, root], {
      timeoutMs: BUILD_MS,
    });
  }
};

/** Builds the images of another commit, in a worktree of its own. */
const buildCommit = async (target: Target, tag: string, commit: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'shortlist-old-'));
  try {
    await run('git', ['worktree', 'add', '--detach', folder, commit], { cwd: REPOSITORY });
    await build(target, tag, folder);
  } finally {
    await run('git', ['worktree', 'remove', '--force', folder], { cwd: REPOSITORY });
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Builds the images of this source tree and of the commit `from`, and brings them into the cluster with the command `load`. With an
 * empty command the images must be there already.
 */
export const provideImages = async (
  target: Target,
  { from, load, print }: { from: string; load: string; print: (line: string) => void },
): Promise<void> => {
  if (load === '') return print('images     those of IMAGE_PREFIX and IMAGE_TAG');
  await build(target, target.tag, REPOSITORY); // what did not change is in the cache of the engine
  const hasOld = (await Promise.all(namesOf(target, target.oldTag).map(exists))).every(Boolean);
  if (!hasOld) await buildCommit(target, target.oldTag, from);
  const images = [...BACKING, ...namesOf(target, target.tag), ...namesOf(target, target.oldTag)];
  await run(load, images, { timeoutMs: BUILD_MS });
  print(`images     ${images.length} loaded`);
};
