// The packages that the product runs, in its images or in the pages of the browser, and their licences.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACES } from '@shortlist/local/system/processes';
import parseExpression, { type Info } from 'spdx-expression-parse';
import list from './licences.json' with { type: 'json' };

/** A package as package-lock.json describes it. */
type Locked = {
  version?: string;
  license?: string;
  /** Of a workspace, its folder. */
  resolved?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
type Lock = Record<string, Locked>;

export type Package = { name: string; version: string; folder: string; licence: string | null };

/**
 * What is allowed: licences by their names in SPDX, and packages that state another one or none, each with the licence that it has and why
 * that is known or allowed.
 */
type LicenceList = {
  allowed: string[];
  exceptions: Record<string, { stated: string | null; licence: string; reason: string }>;
};

const LIST: LicenceList = list;

const referenceOf = ({ name, version }: Package): string => `${name}@${version}`;

/** The pages are in bff's image. */
const SHIPPED = [...Object.values(WORKSPACES), 'web'];
/** Of the images. */
const PLATFORM = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;

const runsInImages = (locked: Locked): boolean =>
  (['os', 'cpu', 'libc'] as const).every((field) => locked[field]?.includes(PLATFORM[field]) ?? true);

/** Returns the folder in which Node finds a package that is imported from `folder`. */
const resolveFrom = (lock: Lock, folder: string, name: string): string | null => {
  const parents = folder
    .split('/')
    .map((_part, index, parts) => parts.slice(0, parts.length - index).join('/'));
  const found = [...parents, '']
    .map((parent) => join(parent, 'node_modules', name))
    .find((path) => path in lock);
  if (found === undefined) return null;
  return lock[found]?.link ? (lock[found].resolved ?? null) : found;
};

/** Returns the folders of the shipped workspaces and, of their packages, those that images have. */
const shippedFolders = (lock: Lock): string[] => {
  const found = new Set<string>(SHIPPED);
  for (const folder of found) {
    const { dependencies, optionalDependencies, peerDependencies } = lock[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = resolveFrom(lock, folder, name);
      if (path !== null && runsInImages(lock[path] ?? {})) found.add(path);
    }
  }
  return [...found].filter((folder) => folder.includes('node_modules/'));
};

/** Returns the licence of a manifest from before SPDX, whose field had a list. */
const olderLicence = (root: string, folder: string): string | null => {
  const file = join(root, folder, 'package.json');
  if (!existsSync(file)) return null;
  const { licenses = [] } = JSON.parse(readFileSync(file, 'utf8')) as { licenses?: { type: string }[] };
  return licenses.length === 0 ? null : `(${licenses.map(({ type }) => type).join(' OR ')})`;
};

/** Returns the packages that the product runs, sorted by name; its own are not among them. */
export const shippedPackages = (root: string): Package[] => {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  const found = shippedFolders(lock).map((folder) => ({
    name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: lock[folder]?.version ?? '',
    folder,
    licence: lock[folder]?.license ?? olderLicence(root, folder),
  }));
  // The same version may be in several folders.
  const byReference = new Map(found.map((one) => [referenceOf(one), one]));
  return [...byReference.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
};

const isAllowed = (expression: Info, allowed: readonly string[]): boolean => {
  if ('license' in expression) return allowed.includes(expression.license);
  const { left, right, conjunction } = expression;
  return conjunction === 'and'
    ? isAllowed(left, allowed) && isAllowed(right, allowed)
    : isAllowed(left, allowed) || isAllowed(right, allowed);
};

const isRefused = ({ name, licence }: Package, { allowed, exceptions }: LicenceList): boolean => {
  const exception = exceptions[name];
  if (exception !== undefined) return licence !== exception.stated;
  if (licence === null) return true;
  try {
    return !isAllowed(parseExpression(licence), allowed);
  } catch {
    return true; // no expression of SPDX
  }
};

/** Returns a line for each package whose licence is not allowed, and for each exception without a package. */
export const refusedLicences = (
  packages: readonly Package[],
  { allowed, exceptions }: LicenceList = LIST,
): string[] => [
  ...packages
    .filter((one) => isRefused(one, { allowed, exceptions }))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence ?? 'states no licence'}`),
  ...Object.keys(exceptions)
    .filter((name) => packages.every((one) => one.name !== name))
    .map((name) => `${name}: an exception for a package that the product does not run`),
];

const licenceOf = ({ name, licence }: Package): string => LIST.exceptions[name]?.licence ?? licence ?? '';

const LICENCE_FILES = '{LICEN[SC]E,License,Licen[sc]e,licen[sc]e,COPYING,NOTICE,OFL}*';

/** Returns the licence of each package with the text that the package brings. */
export const licenceTexts = (root: string, packages: readonly Package[]): string =>
  packages
    .map((one) => {
      const cwd = join(root, one.folder);
      const files = [...new Set(globSync(LICENCE_FILES, { cwd }))].toSorted();
      const texts = files.map((file) => readFileSync(join(cwd, file), 'utf8').trim());
      return [
        `${one.name} ${one.version}: ${licenceOf(one)}`,
        ...(texts.length > 0 ? texts : ['The package has no file with its licence.']),
      ].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');

type Component = { 'bom-ref': string; licenses?: object[] };
type Bom = {
  metadata: { component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** Returns the bill of materials (CycloneDX): what npm says of all packages, without those that the product does not run. */
export const createBom = (root: string, packages: readonly Package[]): object => {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const bom = JSON.parse(
    execFileSync('npm', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as Bom;
  const componentBy = new Map(bom.components.map((component) => [component['bom-ref'], component]));
  const references = new Set(packages.map(referenceOf));
  const isShipped = (reference: string): boolean => references.has(reference);
  const componentOf = (one: Package): Component => {
    const component = componentBy.get(referenceOf(one));
    if (component === undefined) throw new Error(`npm sbom does not list ${referenceOf(one)}`);
    return { ...component, licenses: component.licenses ?? [{ expression: licenceOf(one) }] };
  };
  bom.metadata.component.name = 'shortlist'; // npm takes the name of the folder
  return {
    ...bom,
    components: packages.map(componentOf),
    dependencies: bom.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
};
