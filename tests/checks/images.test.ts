import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NODE_FLAGS } from '@shortlist/local/system/processes';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const ignored = read('.dockerignore').split('\n');
const dockerfile = read('deploy/Dockerfile');

it('a production image has no code for tests, and what it has imports none', () => {
  expect(ignored).toContain('**/src/testing');
  const sources = globSync('{bff,packages/*,services/*}/src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.includes('/src/testing/') && !path.endsWith('.test.ts'),
  );
  expect(sources.length).toBeGreaterThan(300);
  for (const path of sources) {
    const text = read(path);
    expect(text, path).not.toMatch(/from '[^']*\/testing\/|FAIL_POINTS/);
  }
});

it('every image but the sandbox has the operator program in its path', () => {
  expect(dockerfile).toContain('COPY deploy/shortlist /usr/local/bin/shortlist');
  const program = read('deploy/shortlist');
  expect(statSync(join(ROOT, 'deploy/shortlist')).mode & 0o111, 'it can be executed').toBe(0o111);
  const programs = globSync('{bff,services/*}/src/operator.ts', { cwd: ROOT });
  const processes = globSync('{bff,services/*}/src/main.ts', { cwd: ROOT });
  expect(programs.map((path) => dirname(path)).toSorted()).toEqual(
    processes.map((path) => dirname(path)).toSorted(),
  );
  expect(program).toContain('"/app/$WORKSPACE/src/operator.ts" "$@"');
  // The libraries that a process imports are in its image.
  for (const library of globSync('packages/*/package.json', { cwd: ROOT }).map((path) => dirname(path)))
    expect(dockerfile).toContain(`COPY ${library}/src ${library}/src`);
});

it('the images run Node as `make start` does', () => {
  expect(dockerfile).toContain(`NODE_OPTIONS="${NODE_FLAGS.join(' ')}"`);
});

it('an image states the version in a label and to its process', () => {
  expect(dockerfile).toContain('\nENV VERSION=$VERSION\n');
  for (const label of ['version=$VERSION', 'revision=$REVISION', 'source=$SOURCE', 'licenses=MIT'])
    expect(dockerfile).toContain(` org.opencontainers.image.${label}`);
});

it('every file that an image copies is in the context of the build, and each workspace has its package.json there', () => {
  const included = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  // Docker's older builder enters no folder below * that only a pattern names.
  expect(included.filter((path) => path.includes('*'))).toEqual([]);
  const copied = Array.from(dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, paths = '']) =>
    paths.split(' '),
  );
  const missing = copied
    .flat()
    .filter(
      (path) => !path.startsWith('$') && !included.some((one) => path === one || path.startsWith(`${one}/`)),
    );
  expect(missing).toEqual([]);
  const { workspaces } = JSON.parse(read('package.json')) as {
    workspaces: string[];
  };
  const manifests = globSync(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: ROOT },
  );
  expect(manifests.length).toBeGreaterThan(15);
  expect(copied.flat()).toEqual(expect.arrayContaining(manifests));
});
