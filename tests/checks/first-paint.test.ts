import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { buildOptions, productionAliases } from '../../web/build-options.ts';
import { endpointsWithoutSchemas } from '../../web/endpoints-without-schemas.ts';

const ROOT = join(import.meta.dirname, '../../web');
const MAX_BYTES = 150 * 1024;

/** Styles are no scripts, and take most of a build's time. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  load: (id) => (/\.(s?css)$/.test(id.split('?')[0] ?? '') ? { code: '', moduleType: 'js' } : null),
};

type Chunks = Map<string, Rolldown.OutputChunk>;

const buildChunks = async (): Promise<Chunks> => {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const result = (await build({
    root: ROOT,
    configFile: false,
    resolve: { alias: productionAliases },
    logLevel: 'silent',
    plugins: [withoutStyles, endpointsWithoutSchemas()],
    build: { ...buildOptions, write: false },
  })) as Rolldown.RolldownOutput;
  return new Map(
    result.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
};

/** A script and all that it imports: what the browser loads before it runs. */
const loadedWith = (chunks: Chunks, script: Rolldown.OutputChunk): Rolldown.OutputChunk[] => {
  const names = new Set([script.fileName]);
  for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported);
  return [...names].flatMap((name) => chunks.get(name) ?? []);
};

const modulesOf = (scripts: Rolldown.OutputChunk[]): string[] =>
  scripts.flatMap(({ moduleIds }) => moduleIds);

it('the scripts of the first paint stay small, and no page waits for schemas or for the library of charts', async () => {
  const chunks = await buildChunks();
  const scripts = [...chunks.values()];
  const first = scripts.filter(({ isEntry }) => isEntry).flatMap((entry) => loadedWith(chunks, entry));
  expect(modulesOf(first).length).toBeGreaterThan(100);
  expect(modulesOf(first).filter((id) => /node_modules\/joi\//.test(id))).toEqual([]);
  expect(first.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)).toBeLessThanOrEqual(
    MAX_BYTES,
  );

  const pages = scripts.filter(({ facadeModuleId }) => /web\/src\/pages\//.test(facadeModuleId ?? ''));
  expect(pages.length).toBeGreaterThan(20);
  const late = pages.filter((page) =>
    modulesOf(loadedWith(chunks, page)).some((id) => /node_modules\/(?:joi|apexcharts)\//.test(id)),
  );
  expect(late.map(({ facadeModuleId }) => facadeModuleId)).toEqual([]);
});
