// The images that a release names by their digests: those of the product, and those of docker-compose.yml that others publish.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACES } from '@shortlist/local/system/processes';
import { parse, parseDocument, stringify } from 'yaml';
import { readVersion } from './versions.ts';

type Compose = { services: Record<string, { image?: string; build?: { args: { WORKSPACE: string } } }> };

/** The images of the product: the digest of each by its name, and what stands before the names. */
export type Digests = { prefix: string; product: Record<string, string>; backing: Record<string, string> };

const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** The workspace of each image: those of the processes, and the one of the jobs that back up. */
const IMAGES: Record<string, string> = { ...WORKSPACES, backup: 'deploy/backup' };
const NAMES = Object.keys(IMAGES);

/** Returns each image of the product with its workspace and the stage of the Dockerfile. */
export const productImages = (): { name: string; workspace: string; target: string }[] =>
  Object.entries(IMAGES).map(([name, workspace]) => ({
    name,
    workspace,
    target: name === 'bff' || name === 'backup' ? name : 'service',
  }));

const readCompose = (root: string): Compose =>
  parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;

/** Returns the images of docker-compose.yml that are not built from this repository. */
export const backingImages = (root: string): string[] => [
  ...new Set(Object.values(readCompose(root).services).flatMap(({ image }) => image ?? [])),
];

/**
 * Reads lines of an image and its digest, such as `registry.example.com/shortlist-bff:1.0.0 sha256:…`. Throws unless each image of the
 * product, in the version of this repository and with one prefix, and each backing image is there once, with a whole digest.
 */
export const parseDigests = (text: string, root: string): Digests => {
  const version = readVersion(root);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const digestBy = new Map<string, string>();
  for (const line of lines) {
    const [image = '', digest = '', ...more] = line.trim().split(/\s+/);
    if (!DIGEST.test(digest) || more.length > 0) throw new Error(`not an image and its digest: ${line}`);
    if (digestBy.has(image)) throw new Error(`${image} has two digests`);
    digestBy.set(image, digest);
  }
  const take = (image: string): string => {
    const digest = digestBy.get(image);
    if (digest === undefined) throw new Error(`the digest of ${image} is missing`);
    digestBy.delete(image);
    return digest;
  };
  const backing = Object.fromEntries(backingImages(root).map((image) => [image, take(image)]));
  const end = `${NAMES[0]}:${version}`;
  const prefix = [...digestBy.keys()].find((image) => image.endsWith(end))?.slice(0, -end.length);
  if (prefix === undefined) throw new Error(`the digest of ${end} is missing`);
  const product = Object.fromEntries(NAMES.map((name) => [name, take(`${prefix}${name}:${version}`)]));
  const [unknown] = digestBy.keys();
  if (unknown !== undefined) throw new Error(`${unknown} is no image of version ${version}`);
  return { prefix, product, backing };
};

/** Returns the values of the chart with the images named by digest. The sandbox is no process of the chart. */
export const pinnedValues = (values: string, { prefix, product }: Digests): string => {
  const { sandbox: _sandbox, ...digests } = product;
  const document = parseDocument(values);
  document.setIn(['image', 'prefix'], prefix);
  document.setIn(['image', 'digests'], document.createNode(digests));
  return document.toString({ lineWidth: 0 });
};

/** Returns a compose file that, after docker-compose.yml, replaces each image and each build by an image with its digest. */
export const pinnedCompose = (root: string, { prefix, product, backing }: Digests): string => {
  const version = readVersion(root);
  const nameBy = new Map<string, string>(
    Object.entries(IMAGES).map(([name, workspace]) => [workspace, name]),
  );
  const services = Object.entries(readCompose(root).services).map(([service, { image, build }]) => {
    if (image !== undefined) return [service, { image: `${image}@${backing[image]}` }];
    const name = nameBy.get(build?.args.WORKSPACE ?? '') ?? '';
    return [service, { build: null, image: `${prefix}${name}:${version}@${product[name]}` }];
  });
  const text = stringify({ services: Object.fromEntries(services) }, { lineWidth: 0 });
  return `# docker compose -f docker-compose.yml -f docker-compose.digests.yml --profile app up (2.24 or newer)\n${text.replaceAll('build: null', 'build: !reset null')}`;
};
