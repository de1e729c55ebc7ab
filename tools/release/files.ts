// The files of a release.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesOf } from './changelog.rules.ts';
import { type Digests, pinnedCompose, pinnedValues } from './images.ts';
import { createBom, licenceTexts, refusedLicences, shippedPackages } from './licences.ts';
import { readVersion } from './versions.ts';

/** Also finds what Go has installed. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:${join(homedir(), 'go/bin')}` };

/** Packages the chart, from a copy whose values name the images by digest. */
const packageChart = (root: string, folder: string, digests: Digests | null): void => {
  const copy = mkdtempSync(join(tmpdir(), 'shortlist-chart-'));
  try {
    const chart = join(copy, 'shortlist');
    cpSync(join(root, 'deploy/k8s'), chart, { recursive: true });
    const values = join(chart, 'values.yaml');
    if (digests !== null) writeFileSync(values, pinnedValues(readFileSync(values, 'utf8'), digests));
    execFileSync('helm', ['package', chart, '--destination', folder], { env: ENVIRONMENT, stdio: 'pipe' });
  } finally {
    rmSync(copy, { recursive: true });
  }
};

/**
 * Writes into dist/release/<version>: the changes, the bill of materials, the licences and the chart; with digests the chart and a compose
 * file name the images by them. Returns the folder. Throws if a licence is not on the list.
 */
export const writeFiles = (root: string, digests: Digests | null): string => {
  const version = readVersion(root);
  const folder = join(root, 'dist/release', version);
  const packages = shippedPackages(root);
  const refused = refusedLicences(packages);
  if (refused.length > 0)
    throw new Error(`not on the list of licences (tools/release/licences.json):\n${refused.join('\n')}`);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('notes.md', `${notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version) ?? ''}\n`);
  write('sbom.cdx.json', `${JSON.stringify(createBom(root, packages), null, 2)}\n`);
  write('licences.txt', licenceTexts(root, packages));
  packageChart(root, folder, digests);
  if (digests !== null) write('docker-compose.digests.yml', pinnedCompose(root, digests));
  return folder;
};
