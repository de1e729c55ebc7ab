import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { buildOptions } from '../../web/build-options.ts';
import { endpointsWithoutSchemas } from '../../web/endpoints-without-schemas.ts';

const ROOT = join(import.meta.dirname, '../../web');
const MAX_BYTES = 150 * 1024;

/** Styles are no scripts, and take most of a build's time. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  load: (id) => (/\.(s?css)$/.test(id.split('?')[0] ?? '') ? { code: '', moduleType: 'js' } : null),
};

/** The scripts that the browser loads before it paints: the application's entry and all that it imports. */
const firstScripts = async (): Promise<{ bytes: number; modules: string[] }> => {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const result = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    plugins: [withoutStyles, endpointsWithoutSchemas()],
    build: { ...buildOptions, write: false },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(
    result.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const names = new Set([entry?.fileName ?? '']);
  for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported);
  const loaded = [...names].flatMap((name) => chunks.get(name) ?? []);
  return {
    bytes: loaded.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
    modules: loaded.flatMap(({ moduleIds }) => moduleIds),
  };
};

it('the scripts of the first paint stay small, and are without schemas', async () => {
  const { bytes, modules } = await firstScripts();
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((id) => /node_modules\/joi\//.test(id))).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});
