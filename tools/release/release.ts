import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './changelog.rules.ts';
import { writeFiles } from './files.ts';
import { compareVersions, filesWithVersion, readVersion, setVersion, VERSION_FORMAT } from './versions.ts';

const CHANGELOG = 'CHANGELOG.md';

type Git = (...args: readonly string[]) => string;

const gitIn =
  (root: string): Git =>
  (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();

const lastRelease = (git: Git): string | undefined =>
  git('tag', '--list', 'v*')
    .split('\n')
    .map((tag) => tag.slice(1))
    .filter((version) => VERSION_FORMAT.test(version))
    .toSorted(compareVersions)
    .at(-1);

/** Returns why this version cannot be released, or null. The changelog may be changed and not committed yet. */
const findProblem = (root: string, version: string, git: Git): string | null => {
  if (!VERSION_FORMAT.test(version)) return 'Name the version, three numbers, as in: make release v=1.0.1';
  const last = lastRelease(git);
  if (last !== undefined && compareVersions(version, last) <= 0)
    return `${version} is not newer than ${last}, the last release`;
  const current = readVersion(root);
  if (compareVersions(version, current) < 0)
    return `${version} is older than ${current}, the version of the packages`;
  const changed = git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '' && line.slice(3) !== CHANGELOG);
  if (changed.length > 0) return `There are changes that are not committed:\n${changed.join('\n')}`;
  if (notesOf(readFileSync(join(root, CHANGELOG), 'utf8'), version) === null)
    return `${CHANGELOG} does not begin with what changes in this version, as in: ## [${version}] - 2026-11-29`;
  return null;
};

type Input = {
  root: string;
  version: string;
  /** Throws if a check of the new version fails. */
  runChecks: () => void;
};

/**
 * Sets the version everywhere, checks it, writes the files of the release, commits and tags. Returns their folder. If anything fails, it
 * throws, and the source tree is as before.
 */
export const release = ({ root, version, runChecks }: Input): string => {
  const git = gitIn(root);
  const problem = findProblem(root, version, git);
  if (problem !== null) throw new Error(problem);
  const files = filesWithVersion(root);
  const head = git('rev-parse', 'HEAD');
  try {
    setVersion(root, version);
    const folder = writeFiles(root, null);
    runChecks();
    if (git('status', '--porcelain') !== '')
      git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files, CHANGELOG);
    git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
    return folder;
  } catch (error) {
    git('reset', '--quiet', head);
    git('checkout', '--quiet', '--', ...files);
    rmSync(join(root, 'dist/release', version), { recursive: true, force: true });
    throw error;
  }
};
