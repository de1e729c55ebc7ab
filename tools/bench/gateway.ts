import { createFixture, REPLIES, startServer, type Variant } from './gateway-fixture.ts';
import { alternate, type Load, measure, report } from './gateway-load.ts';
import type { ServerProcess } from './server-process.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SECONDS = 4;
const CONNECTIONS = 64;
const VARIANTS: readonly Variant[] = ['bff', 'thin'];

/** Measures a read of an admin with each variant of the server. */
const compare = async (
  { path, expected }: { path: string; expected?: string },
  print: (line: string) => void,
): Promise<void> => {
  const { env, admin, close } = await createFixture();
  const servers: ServerProcess[] = [];
  try {
    const loads: [Variant, Load][] = [];
    for (const variant of VARIANTS) {
      const server = await startServer(variant, { env });
      servers.push(server);
      const url = `${server.url}${path}`;
      loads.push([variant, { url, connections: CONNECTIONS, seconds: SECONDS, headers: admin }]);
    }
    const check = expected === undefined ? {} : { expectBody: expected };
    for (const [, load] of loads) await measure({ ...load, ...check, seconds: 3 }); // warm-up
    report(await alternate(loads, ROUNDS), print);
  } finally {
    for (const server of servers) await server.stop();
    await close();
  }
};

/** P1 a session check through bff, beside the same with bare node:http and one Redis GET. */
export const benchSession = (print: (line: string) => void): Promise<void> =>
  compare({ path: '/api/check_authentication' }, print);

/** P2 a proxied GET with a session, beside the same with bare node:http and undici. */
export const benchProxy = (print: (line: string) => void): Promise<void> =>
  compare({ path: '/api/users?limit=5', expected: REPLIES.read }, print);
