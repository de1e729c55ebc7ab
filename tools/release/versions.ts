// The one version of the product. The package.json of the root declares it; every other place that has to state it is in PLACES, which
// `make check` compares with it and `make release` sets.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findReleases } from './changelog.rules.ts';

type Place = {
  files: string;
  /** What stands before a version, and the version. */
  pattern: RegExp;
};

const DECLARATION = 'package.json';

const PLACES: readonly Place[] = [
  {
    files: '{.,packages/*,services/*,clients/*,deploy/*,bff,web,harness,tests,tools}/package.json',
    pattern: /("version": "|"@shortlist\/[\w-]+": ")([^"]+)/g,
  },
  {
    files: 'package-lock.json',
    pattern: /("name": "(?:shortlist|@shortlist\/[\w-]+)",\s+"version": "|"@shortlist\/[\w-]+": ")([^"]+)/g,
  },
  { files: 'clients/example-extension/manifest.json', pattern: /("version": ")([^"]+)/g },
  { files: 'deploy/k8s/Chart.yaml', pattern: /^(version: |appVersion: )(.+)/gm },
  { files: 'deploy/Dockerfile', pattern: /^(ARG VERSION=)(.+)/gm },
];

export const VERSION_FORMAT = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns the files that state the version. */
export const filesWithVersion = (root: string): string[] =>
  PLACES.flatMap(({ files }) => globSync(files, { cwd: root })).toSorted();

export const readVersion = (root: string): string =>
  (JSON.parse(read(root, DECLARATION)) as { version: string }).version;

const statedIn = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, , version = '']) => version);

const differencesIn = (root: string, file: string, stated: string[]): string[] => {
  const version = readVersion(root);
  const others = [...new Set(stated)].filter((one) => one !== version);
  if (stated.length === 0) return [`${file} states no version`];
  return others.map((other) => `${file} states ${other}, ${DECLARATION} ${version}`);
};

/** Returns a line for each place that states another version than the declared one, or none. */
export const differences = (root: string): string[] => {
  const [newest] = findReleases(read(root, 'CHANGELOG.md'));
  const { devDependencies } = JSON.parse(read(root, DECLARATION)) as {
    devDependencies: Record<string, string>;
  };
  const node = read(root, '.nvmrc').trim();
  return [
    ...PLACES.flatMap(({ files, pattern }) =>
      globSync(files, { cwd: root }).flatMap((file) =>
        differencesIn(root, file, statedIn(read(root, file), pattern)),
      ),
    ),
    ...differencesIn(root, 'CHANGELOG.md', newest === undefined ? [] : [newest.version]),
    ...(node === devDependencies['node']
      ? []
      : [`.nvmrc states ${node}, ${DECLARATION} node ${devDependencies['node']}`]),
  ];
};

/** Writes the version to every place. */
export const setVersion = (root: string, version: string): void => {
  for (const { files, pattern } of PLACES)
    for (const file of globSync(files, { cwd: root })) {
      const text = read(root, file);
      const changed = text.replace(pattern, (_match, before: string) => `${before}${version}`);
      if (changed !== text) writeFileSync(join(root, file), changed);
    }
};

/** Negative if `one` is the older version. */
export const compareVersions = (one: string, other: string): number => {
  const numbers = (version: string): number[] => version.split('.').map(Number);
  const [major = 0, minor = 0, patch = 0] = numbers(one);
  const [otherMajor = 0, otherMinor = 0, otherPatch = 0] = numbers(other);
  return major - otherMajor || minor - otherMinor || patch - otherPatch;
};
