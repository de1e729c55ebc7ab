import { NODE_FLAGS } from '@shortlist/local/system/processes';
import { newUser } from '../../tests/journeys/client.ts';
import { residentMegabytes } from '../../tests/resident-megabytes.ts';
import { createFixture, type Fixture, REPLIES, startServer } from './gateway-fixture.ts';
import { alternate, type Load, measure, report } from './gateway-load.ts';
import { peakMegabytes, processorMs, resetPeakMemory } from './process-usage.ts';
import type { ServerProcess } from './server-process.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SECONDS = 4;
const CONNECTIONS = 64;
/** Just under the product's limit for a picture, 5 MiB. */
const UPLOAD_BYTES = 5_000_000;
const UPLOADS = 50;
const UPLOAD_SECONDS = 8;
/** As many as bff holds in memory. */
const FORMS = 7;
const CHARGE = '/api/credits/spend';
const FORM = '/signup';

type Print = (line: string) => void;
type Message = { body: Buffer; headers: Record<string, string> };

const smallMessage = (): Message => {
  const body = Buffer.from(JSON.stringify({ reason: 'email_found', reference: 'x'.repeat(956) }));
  return { body, headers: { 'content-type': 'application/json' } };
};

const multipartMessage = async (): Promise<Message> => {
  const form = new FormData();
  form.set('userData', JSON.stringify(newUser()));
  form.set('file', new Blob([Buffer.alloc(UPLOAD_BYTES, 1)], { type: 'image/png' }), 'picture.png');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { body: Buffer.from(await encoded.arrayBuffer()), headers };
};

type Servers = { bff: ServerProcess; thin: ServerProcess; form: ServerProcess };

/** `form` is bff in a process of its own, so that its memory is measured apart. The flags are those of the product. */
const startServers = async ({ env }: Fixture, started: ServerProcess[]): Promise<Servers> => {
  const start = async (variant: 'bff' | 'thin'): Promise<ServerProcess> => {
    const server = await startServer(variant, { env, flags: NODE_FLAGS });
    started.push(server);
    return server;
  };
  return { bff: await start('bff'), thin: await start('thin'), form: await start('bff') };
};

const comparePosts = async ({ user }: Fixture, { bff, thin, form }: Servers, print: Print): Promise<void> => {
  const { body, headers } = smallMessage();
  const loadOf = ({ url }: ServerProcess): Load => {
    const common = { connections: CONNECTIONS, seconds: SECONDS, body };
    return { ...common, url: `${url}${CHARGE}`, headers: { ...headers, ...user } };
  };
  for (const server of [bff, thin, form])
    await measure({ ...loadOf(server), expectBody: REPLIES.change, seconds: 3 }); // warm-up
  print(`a proxied POST of ${body.length} bytes, ${CONNECTIONS} connections`);
  const loads = [['bff', loadOf(bff)] as const, ['thin', loadOf(thin)] as const];
  report(await alternate(loads, ROUNDS), print);
};

type Results = Awaited<ReturnType<typeof alternate<string>>>;

const countUploads = (results: Results, name: string): number =>
  (results.get(name)?.perSecond ?? []).reduce((sum, rate) => sum + rate * UPLOAD_SECONDS, 0);

/** The responses say only that the upstream saw the end of each body. */
const assertReceived = (results: Results, received: number): void => {
  const uploads = [...results.keys()].reduce((sum, name) => sum + countUploads(results, name), 0);
  if (received < uploads * UPLOAD_BYTES * 0.99)
    throw new Error(`the upstream received ${received} bytes in ${uploads} uploads`);
};

type Usage = { name: string; pid: number; megabytes: number; ms: number };

const usageBefore = ([name, { pid }]: [string, ServerProcess]): Usage => {
  resetPeakMemory(pid);
  return { name, pid, megabytes: residentMegabytes(pid), ms: processorMs(pid) };
};

const describeUsage = ({ name, pid, megabytes, ms }: Usage, uploads: number): string => {
  const [rest, peak] = [megabytes.toFixed(0), peakMegabytes(pid).toFixed(0)];
  const growth = (peakMegabytes(pid) - megabytes).toFixed(0);
  const perUpload = ((processorMs(pid) - ms) / uploads).toFixed(1);
  return `${name.padEnd(10)} processor ${perUpload} ms an upload   resident ${rest} MB before, ${peak} MB at most: grew by ${growth} MB`;
};

/** `direct` is the generator with the upstream alone: what the loopback and the generator allow. */
const compareUploads = async (
  { user, admin, upstream }: Fixture,
  servers: Servers,
  print: Print,
): Promise<void> => {
  const { body, headers } = await multipartMessage();
  const common = { connections: UPLOADS, seconds: UPLOAD_SECONDS, body };
  const { bff, thin, form } = servers;
  const loads: [string, Load][] = [
    ['bff', { ...common, url: `${bff.url}${CHARGE}`, headers: { ...headers, ...user } }],
    ['thin', { ...common, url: `${thin.url}${CHARGE}`, headers }],
    ['form', { ...common, connections: FORMS, url: `${form.url}${FORM}`, headers: { ...headers, ...admin } }],
    ['direct', { ...common, url: `${upstream.url}/changes`, headers }],
  ];
  const before = Object.entries(servers).map(usageBefore);
  print(`a multipart upload of ${(body.length / 1e6).toFixed(1)} MB, ${UPLOADS} at once`);
  const receivedBefore = upstream.receivedBytes();
  const results = await alternate(loads, ROUNDS);
  report(results, print, body.length);
  assertReceived(results, upstream.receivedBytes() - receivedBefore);
  for (const usage of before) print(describeUsage(usage, countUploads(results, usage.name)));
};

/**
 * P3 a proxied POST of 1 kB and a multipart upload of 5 MB, beside the same with bare node:http and undici; and how much the memory
 * grows during uploads. `form` is the form of a sign-up with a picture, which bff reads and validates.
 */
export const benchUpload = async (print: Print): Promise<void> => {
  const fixture = await createFixture();
  const started: ServerProcess[] = [];
  try {
    const servers = await startServers(fixture, started);
    await comparePosts(fixture, servers, print);
    await compareUploads(fixture, servers, print);
  } finally {
    for (const server of started) await server.stop();
    await fixture.close();
  }
};
