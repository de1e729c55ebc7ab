import type { Plugin } from 'vitest/config';

const DECLARATIONS = /\/packages\/contracts\/src\/api\/(?!endpoint\.ts)[^/]+\.ts$/;

/**
 * Pages need the methods and paths of the endpoints, and not what bff checks a request by: the library of the schemas is a third of the
 * first page's size. The modules that declare endpoints are loaded here, and reach the browser as the plain data that they export.
 */
export const endpointsWithoutSchemas = (): Plugin => ({
  name: 'endpoints-without-schemas',
  // Vitest keeps what a module was made to by its own text alone, and this one is made of other modules too.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (DECLARATIONS.test(id) ? false : null)),
  load: async (id) => {
    if (!DECLARATIONS.test(id)) return null;
    const exported = Object.entries((await import(id)) as Record<string, unknown>);
    return exported
      .filter(([, value]) => typeof value !== 'function')
      .map(([name, value]) => `export const ${name} = ${toJson(value)};`)
      .join('\n');
  },
});

/** What bff alone reads of an endpoint. */
const OF_THE_SERVER = new Set([
  'schema',
  'replySchema',
  'bodyBytes',
  'permission',
  'recent',
  'status',
  'body',
  'whileViewing',
  'duringDeletion',
  'beforeSecondFactor',
  'crossSiteCheck',
  'operation',
]);

const isEndpoint = (part: unknown): part is Record<string, unknown> =>
  typeof part === 'object' && part !== null && 'method' in part && 'path' in part;

/** The members of endpoints in one order, in which they compress better. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => {
    if (OF_THE_SERVER.has(key)) return undefined;
    if (!isEndpoint(part)) return part;
    const { to, method, path, ...rest } = part;
    return { method, to, path, ...rest };
  });
