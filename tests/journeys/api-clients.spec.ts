import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { System } from '@shortlist/local/system';
import {
  type ChargeEntry,
  createClient,
  type ShortlistClient,
  type Storage,
} from '../../clients/typescript/src/client.ts';
import { createApiKey, registerWithKey } from '../../harness/api-keys.ts';
import { callApi, confirmEmail, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { type Fate, startCuttingProxy } from './cutting-proxy.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIBRARY = join(ROOT, 'clients/typescript');
const REASON = { reason: 'email_found' } as const;

const run = promisify(execFile);

type Sample = { lang: string; source: string };
type Description = {
  info: { description: string };
  paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': Sample[] }>>;
};

const readDescription = async ({ publicUrl }: System): Promise<Description> =>
  (await callApi<Description>(`${publicUrl}/api/v1/openapi.json`, 'GET')).body;

/** Runs a shell command of the documents. Returns the status of each request. */
const runShell = async (source: string, env: Record<string, string>): Promise<string[]> => {
  const own = 'command -v uuidgen >/dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }';
  const script = source.replaceAll(/^curl /gm, "curl -sS -o /dev/null -w '%{http_code}\\n' ");
  const { stdout } = await run('/bin/sh', ['-euc', `${own}\n${script}`], { env: { ...process.env, ...env } });
  return stdout.trim().split('\n');
};

const readCharges = async (charges: AsyncIterable<ChargeEntry>): Promise<ChargeEntry[]> => {
  const entries: ChargeEntry[] = [];
  for await (const entry of charges) entries.push(entry);
  return entries;
};

test('every sample of the reference in curl works as it stands', async ({ system }) => {
  const { made } = await registerWithKey(system);
  const env = { SHORTLIST_URL: system.publicUrl, SHORTLIST_KEY: made.key };
  const client = createClient({ url: system.publicUrl, key: made.key });
  const { paths } = await readDescription(system);
  const samples = Object.values(paths).flatMap((path) => Object.values(path));
  expect(samples).toHaveLength(8);
  for (const { operationId, 'x-codeSamples': sources } of samples) {
    const { id } = await client.reserve({ ...REASON, amount: 5 });
    const source = sources.find(({ lang }) => lang === 'curl')?.source ?? '';
    const statuses = await runShell(source.replace(/reservations\/[\da-f-]{36}/, `reservations/${id}`), env);
    expect(statuses, operationId).toEqual([source.includes('Idempotency-Key') ? '201' : '200']);
  }
});

test('the first charge works as the guide says, with a key that has the rights it names', async ({
  system,
}) => {
  const user = await register(system);
  await confirmEmail(system, user);
  const { key } = await createApiKey(system, user, { scopes: ['credits:read', 'credits:charge'] });
  const { info } = await readDescription(system);
  for (const name of ['Read credits and usage', 'Use credits'])
    expect(info.description).toContain(`_${name}_`);
  const blocks = Array.from(info.description.matchAll(/```\n([^]*?)```/g), ([, code = '']) => code);
  const guide = blocks.join('').replace('sl_live_…', key);
  expect(await runShell(guide, {})).toEqual(['200', '201']);
});

test('the example of the README works with the package as it is packed', async ({ system }) => {
  const { made } = await registerWithKey(system);
  const folder = await mkdtemp(join(tmpdir(), 'example-'));
  const installed = join(folder, 'node_modules/@shortlist/client');
  await mkdir(installed, { recursive: true });
  execFileSync('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: LIBRARY, stdio: 'pipe' });
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', join(folder, packed), '-C', installed, '--strip-components=1']);
  const [, example = ''] =
    /```ts\n([^]*?)```/.exec(await readFile(join(installed, 'README.md'), 'utf8')) ?? [];
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(12);
  await writeFile(join(folder, 'example.mts'), example);
  const { stdout } = await run(process.execPath, [join(folder, 'example.mts')], {
    env: { ...process.env, SHORTLIST_URL: system.publicUrl, SHORTLIST_KEY: made.key },
  });
  expect(stdout).toBe('500 credits are left\n1 charged\n');
  await rm(folder, { recursive: true });
});

/** Of seven requests, one is lost and two get no reply. */
const createFates = (): (() => Fate) => {
  const fates: Fate[] = ['pass', 'lose reply', 'pass', 'pass', 'lose request', 'pass', 'lose reply'];
  let requests = 0;
  return () => fates[(requests += 1) % fates.length] ?? 'pass';
};

/** Charges 150 credits in six lanes and 50 by the queue. Returns what was charged in the lanes. */
const charge200 = async (client: ShortlistClient): Promise<number> => {
  const chargeMany = async (lane: number): Promise<number> => {
    let sum = 0;
    for (let index = 0; index < 25; index += 1) {
      const reference = index % 2 === 0 ? {} : { reference: `contact ${lane} ${index}` };
      sum += (await client.charge({ ...REASON, ...reference })).charged;
    }
    return sum;
  };
  const sums = await Promise.all([0, 1, 2, 3, 4, 5].map(chargeMany));
  const queued = Array.from({ length: 50 }, () =>
    client.charge({ reason: 'message_composed', whenOffline: 'queue' }),
  );
  await Promise.all(queued);
  return sums.reduce((all, one) => all + one, 0);
};

test('200 charges over a connection that is cut again and again are 200, and none is charged twice', async ({
  system,
}) => {
  const { made } = await registerWithKey(system);
  const proxy = await startCuttingProxy(system.publicUrl, createFates());
  const client = createClient({ url: proxy.url, key: made.key, retries: 12, timeoutMs: 60_000 });
  await client.entitlements();
  expect(await charge200(client)).toBe(150);
  expect(await client.flush()).toMatchObject({ refused: [], pending: 0 });
  await proxy.close();
  expect(proxy.counts['lose request']).toBeGreaterThan(20);
  expect(proxy.counts['lose reply']).toBeGreaterThan(40);

  const direct = createClient({ url: system.publicUrl, key: made.key });
  const { credits } = await direct.entitlements();
  expect(credits).toMatchObject({ used: 200, available: 300, limit: 500 });
  const entries = await readCharges(direct.charges({ pageSize: 50 }));
  expect(entries).toHaveLength(200);
  expect(entries.every(({ amount, clientId }) => amount === -1 && clientId === made.id)).toBe(true);
  const contacts = entries.flatMap(({ reference }) => reference ?? []);
  expect([contacts.length, new Set(contacts).size]).toEqual([72, 72]);
  const days = await direct.usage();
  expect(days.reduce((sum, { charged }) => sum + charged, 0)).toBe(200);
});

test('a key that its user deletes is refused within a second', async ({ system }) => {
  const { user, made } = await registerWithKey(system);
  const client = createClient({ url: system.publicUrl, key: made.key, retries: 0 });
  expect((await client.me()).email).toBe(user.email);
  const { token } = user;
  expect((await callApi(`${system.publicUrl}/api/api-keys/${made.id}`, 'DELETE', { token })).status).toBe(
    200,
  );
  const code = (): Promise<unknown> =>
    client.me().then(
      () => null,
      (error: unknown) => (error as { code: string }).code,
    );
  await expect.poll(code, { timeout: 1_000, intervals: [50] }).toBe('client.key_refused');
});

const fileStorage = (folder: string): Storage => {
  const fileOf = (name: string): string => join(folder, name.replaceAll(/\W/g, '_'));
  return {
    get: (name) => readFile(fileOf(name), 'utf8').catch(() => null),
    set: (name, value) => writeFile(fileOf(name), value),
  };
};

test('while the server is away an app goes on with what it knows, and sends its charges later', async ({
  system,
}) => {
  const { made } = await registerWithKey(system);
  const folder = await mkdtemp(join(tmpdir(), 'queue-'));
  const options = { url: system.publicUrl, key: made.key, storage: fileStorage(folder), retries: 1 };
  const client = createClient(options);
  const fresh = await client.entitlements();
  expect(fresh).toMatchObject({ plan: 'premium', isStale: false });

  await system.process('bff').stop();
  expect(await client.entitlements()).toMatchObject({ ...fresh, isStale: true });
  for (const amount of [3, 4, 5])
    expect(await client.charge({ ...REASON, amount, whenOffline: 'queue' })).toMatchObject({
      isQueued: true,
    });
  expect(await client.entitlements()).toMatchObject({ isStale: true, credits: { used: 12, available: 488 } });
  await expect(client.charge(REASON)).rejects.toMatchObject({ code: 'network.unreachable' });
  const restarted = createClient(options);
  expect(await restarted.flush()).toMatchObject({ sent: [], pending: 3 });

  await system.process('bff').restart();
  const report = await restarted.flush();
  expect(report).toMatchObject({ refused: [], pending: 0, isStopped: false });
  expect(report.sent.map(({ reply }) => reply.charged)).toEqual([3, 4, 5]);
  expect(await restarted.entitlements()).toMatchObject({ isStale: false, credits: { used: 12 } });
  const entries = await readCharges(restarted.charges());
  expect(entries.map(({ amount }) => amount)).toEqual([-5, -4, -3]);
  await rm(folder, { recursive: true });
});
