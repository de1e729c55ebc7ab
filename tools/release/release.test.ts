import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeFiles } from './files.ts';
import { backingImages, parseDigests, productImages } from './images.ts';
import { release } from './release.ts';
import { differences, filesWithVersion, readVersion } from './versions.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const NEXT = '99.0.0';
const HELM = {
  encoding: 'utf8',
  env: { ...process.env, PATH: `${process.env.PATH}:${homedir()}/go/bin` },
} as const;

let root = '';
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const change = (file: string, from: string | RegExp, to: string): void => {
  const text = read(file);
  expect(text).toMatch(from);
  writeFileSync(join(root, file), text.replace(from, to));
};
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
const commit = (): string => git('commit', '--quiet', '--all', '--message', 'Change');
const addNotes = (version = NEXT): void =>
  change(
    'CHANGELOG.md',
    /^## \[Unreleased\]\n[^]*?(?=^## \[)/m, // without what the next release will say
    `## [Unreleased]\n\n## [${version}] - 2030-01-02\n\n- Something new\n\n`,
  );
const run = (version = NEXT, runChecks = (): void => undefined): string =>
  release({ root, version, runChecks });

// A repository with the files that a release reads and writes.
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shortlist-release-'));
  const files = ['CHANGELOG.md', '.nvmrc', '.npmrc', '.gitignore', 'docker-compose.yml', 'deploy/k8s'];
  for (const file of [...files, ...filesWithVersion(REPOSITORY)])
    cpSync(join(REPOSITORY, file), join(root, file), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  git('init', '--quiet');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@shortlist.test');
  appendFileSync(join(root, '.git/info/exclude'), 'node_modules\n');
  git('add', '.');
  commit();
});
afterEach(() => rmSync(root, { recursive: true }));

describe('a release', () => {
  it('sets the version everywhere, writes its files, commits and tags', () => {
    addNotes();
    const folder = run();
    expect(readVersion(root)).toBe(NEXT);
    expect(differences(root)).toEqual([]);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe(`Release ${NEXT}`);
    expect(git('describe', '--exact-match')).toBe(`v${NEXT}`);
    expect(git('show', '--format=', '--name-only').split('\n')).toContain('CHANGELOG.md');
    expect(readdirSync(folder).toSorted()).toEqual([
      'licences.txt',
      'notes.md',
      'sbom.cdx.json',
      `shortlist-${NEXT}.tgz`,
    ]);
    const chart = execFileSync('helm', ['show', 'chart', join(folder, `shortlist-${NEXT}.tgz`)], HELM);
    expect(parse(chart)).toMatchObject({ version: NEXT, appVersion: NEXT });
    expect(read(`dist/release/${NEXT}/notes.md`)).toBe('- Something new\n');
  });

  it('has a bill of materials and a licence of each package that the product runs, and of no other', () => {
    addNotes();
    run();
    const bom = JSON.parse(read(`dist/release/${NEXT}/sbom.cdx.json`)) as {
      bomFormat: string;
      metadata: { component: object };
      components: { name: string; licenses: object[] }[];
    };
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'shortlist', version: NEXT } },
    });
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['express', 'react', 'redoc', 'sharp', 'typeorm']));
    for (const name of ['vitest', 'autocannon', 'vite', '@playwright/test'])
      expect(names).not.toContain(name);
    expect(bom.components.filter(({ licenses }) => licenses.length === 0)).toEqual([]);
    const licences = read(`dist/release/${NEXT}/licences.txt`);
    expect(names.filter((name) => !licences.includes(`${name} `))).toEqual([]);
    expect(licences).toMatch(/^express \S+: MIT\n\n\(The MIT License\)$/m);
  });

  it('of the version that the packages have already only tags', () => {
    const version = readVersion(root);
    run(version);
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
    expect(git('tag')).toBe(`v${version}`);
  });

  it.each(['', '1.0', 'v99.0.0', '99.0.0-rc.1', '99.0.00'])("does not take '%s' for a version", (version) => {
    expect(() => run(version)).toThrow('Name the version');
  });

  it('is newer than the last one', () => {
    git('tag', 'v100.0.0');
    git('tag', 'v9.0.0');
    addNotes();
    expect(() => run()).toThrow(`${NEXT} is not newer than 100.0.0`);
    expect(() => run('0.0.1')).toThrow('0.0.1 is not newer than 100.0.0');
  });

  it('is not older than the packages', () => {
    expect(() => run('0.0.1')).toThrow('0.0.1 is older than');
  });

  it('has no change that is not committed', () => {
    addNotes();
    appendFileSync(join(root, '.npmrc'), '\n');
    expect(() => run()).toThrow(/not committed:\n M \.npmrc$/);
  });

  it('is in the changelog first', () => {
    expect(() => run()).toThrow('CHANGELOG.md does not begin with');
    addNotes('99.0.1');
    expect(() => run()).toThrow('CHANGELOG.md does not begin with');
  });

  it.each([
    ['a licence that is not on the list', 'GPL-3.0-only', undefined, /^express 5.*: GPL-3\.0-only$/m],
    ['a failed check', 'MIT', 'lint failed', 'lint failed'],
  ])('ends with %s, and leaves all as it was', (_reason, licence, failure, message) => {
    change('package-lock.json', /(node_modules\/express": \{[^}]*"license": ")MIT/, `$1${licence}`);
    if (licence !== 'MIT') commit();
    addNotes();
    const before = git('diff');
    const runChecks = (): void => {
      if (failure !== undefined) throw new Error(failure);
    };
    expect(() => run(NEXT, runChecks)).toThrow(message);
    expect(git('diff')).toBe(before);
    expect(git('tag')).toBe('');
    expect(() => readdirSync(join(root, 'dist/release', NEXT))).toThrow('ENOENT');
  });
});

describe('one version', () => {
  it.each([
    ['web/package.json', '"version": "'],
    ['services/billing/package.json', '"@shortlist/kit": "'],
    ['package-lock.json', '"@shortlist/audit": "'],
    ['deploy/k8s/Chart.yaml', 'appVersion: '],
    ['deploy/Dockerfile', 'ARG VERSION='],
    ['clients/example-extension/manifest.json', '"version": "'],
    ['CHANGELOG.md', /^## \[(?=\d)/m],
    ['.nvmrc', ''],
  ])('a difference in %s is found', (file, before) => {
    expect(differences(root)).toEqual([]);
    change(file, before, `${before instanceof RegExp ? '## [' : before}9`);
    expect(differences(root)).toEqual([expect.stringContaining(`${file} states 9`)]);
  });

  it('a place that states no version any more is found', () => {
    change('deploy/Dockerfile', /^ARG VERSION.*$/m, '');
    expect(differences(root)).toEqual(['deploy/Dockerfile states no version']);
  });
});

const digestOf = (index: number): string => `sha256:${String(index).padStart(64, '0')}`;
const PREFIX = 'registry.test/people/shortlist-';
/** As `.ci/release images` writes it. */
const digestsText = (): string => {
  const product = productImages().map(({ name }) => `${PREFIX}${name}:${readVersion(root)}`);
  return [...product, ...backingImages(root)].map((image, index) => `${image} ${digestOf(index)}\n`).join('');
};

describe('digests', () => {
  it('name every image of the chart and of the compose file', () => {
    const version = readVersion(root);
    const folder = writeFiles(root, parseDigests(digestsText(), root));
    const settings = ['settings.PUBLIC_URL=https://people.test', 'settings.KAFKA_BROKERS=kafka:9092'];
    const required = [...settings, 'settings.MAIL_FROM=a@people.test', 'ingress.host=people.test'];
    const command = ['template', 'one', join(folder, `shortlist-${version}.tgz`), '--kube-version', '1.33.0'];
    const manifests = execFileSync('helm', [...command, ...required.flatMap((one) => ['--set', one])], HELM);
    const images = [...manifests.matchAll(/^\s+image: (.+)$/gm)].map(([, image]) => image);
    expect(images.length).toBeGreaterThan(10);
    for (const image of images)
      expect(image).toMatch(/^registry\.test\/people\/shortlist-[a-z]+@sha256:\d{64}$/);
    // What the chart explains stays.
    const values = execFileSync('helm', ['show', 'values', join(folder, `shortlist-${version}.tgz`)], HELM);
    expect(values).toContain("# Empty: the chart's appVersion.");

    const compose = read(`dist/release/${version}/docker-compose.digests.yml`);
    const { services } = parse(compose, { customTags: [{ tag: '!reset', resolve: () => null }] }) as {
      services: Record<string, { image: string }>;
    };
    const all = parse(read('docker-compose.yml'), { merge: true }) as { services: object };
    expect(Object.keys(services)).toEqual(Object.keys(all.services));
    for (const { image } of Object.values(services)) expect(image).toMatch(/^\S+:\S+@sha256:\d{64}$/);
    expect(services['stripe-setup']?.image).toBe(services['billing']?.image);
  });

  it.each([
    ['of an image of the product is missing', /^.*shortlist-bff.*\n/m, '', 'shortlist-bff:'],
    ['of a database is missing', /^mariadb.*\n/m, '', 'the digest of mariadb:'],
    ['of another version is there', /shortlist-worker:\S+/, 'shortlist-worker:0.0.1', 'shortlist-worker:'],
    ['of an unknown image is there', /^/, `other:1 ${digestOf(99)}\n`, 'other:1 is no image'],
    ['is cut off', /0{9}\d\n/, '\n', 'not an image and its digest'],
    ['is there twice', /^(mariadb.*\n)/m, '$1$1', 'two digests'],
  ])('are refused if one %s', (_reason, from, to, message) => {
    const text = digestsText().replace(from, to);
    expect(text).not.toBe(digestsText());
    expect(() => parseDigests(text, root)).toThrow(message);
  });
});
