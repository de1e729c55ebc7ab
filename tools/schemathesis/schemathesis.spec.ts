import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { minutes } from '@shortlist/contracts/durations';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import type { System } from '@shortlist/local/system';
import { expect, test as base } from '../../harness/system.ts';
import {
  BFF_SETTINGS,
  type Compared,
  comparePublicApi,
  compareToolsApi,
  installSchemathesis,
  SENDERS,
  watchProcesses,
} from './run-schemathesis.ts';

const test = base.extend<{ programs: { programs: string } }>({
  programs: async ({ system: _ }, use, info) => {
    const installed = await installSchemathesis();
    // A machine without Python or its package index leaves this to CI.
    if ('missing' in installed) expect(process.env.CI, installed.missing).toBeUndefined();
    info.skip('missing' in installed, 'missing' in installed ? installed.missing : '');
    if (!('missing' in installed)) await use(installed);
  },
});

test.use({ bffSettings: BFF_SETTINGS });

const expectAgreement = ({ code, output }: Compared, examples: number): void => {
  expect(code, `make schemathesis n=${examples} seed=${seed}\n${output}`).toBe(0);
};

test(`the API for tools accepts and returns what its description says, and nothing else (seed ${seed})`, async ({
  system,
  programs,
}) => {
  test.setTimeout(minutes(10));
  const examples = isLongRun ? 200 : 10;
  const result = await compareToolsApi(system, programs, { examples, seed });
  expect(result.output).toContain('8 selected / 8 total');
  expectAgreement(result, examples);
});

for (const sender of SENDERS)
  test(`the public API returns to ${sender} what it declares, and no request ends a process (seed ${seed})`, async ({
    system,
    programs,
  }) => {
    test.setTimeout(minutes(isLongRun ? 60 : 5));
    const examples = isLongRun ? 50 : 3;
    const problems = watchProcesses(system);
    expectAgreement(await comparePublicApi(system, programs, { sender, examples, seed }), examples);
    expect(problems()).toEqual([]);
  });

/** Stands before bff and spoils its replies to some requests. */
const startFaultyProxy = (system: System): Server => {
  const { host } = new URL(system.publicUrl);
  const faults: Partial<Record<string, (body: string) => { status: number; body: string }>> = {
    '/api/config': (body) => ({ status: 200, body: body.replace('"brand"', '"label"') }),
    '/api/logout': () => ({ status: 500, body: '{}' }),
    '/api/login/passkey/options': (body) => {
      system.process('worker').kill('SIGKILL');
      return { status: 200, body };
    },
  };
  const server = createServer((request, response) => {
    const options = { method: request.method, headers: { ...request.headers, host } };
    const upstream = httpRequest(new URL(request.url ?? '', system.publicUrl), options, (reply) => {
      const { 'content-length': _length, ...headers } = reply.headers;
      void text(reply).then((body) => {
        const unspoiled = { status: reply.statusCode ?? 0, body };
        const sent = (reply.statusCode === 200 && faults[request.url ?? '']?.(body)) || unspoiled;
        response.writeHead(sent.status, headers).end(sent.body);
      });
    });
    request.pipe(upstream);
  });
  return server.listen(0, 'localhost');
};

test('a reply that its schema refuses, a server error and the end of a process are found', async ({
  system,
  programs,
}) => {
  test.setTimeout(minutes(5));
  const problems = watchProcesses(system);
  const proxy = startFaultyProxy(system);
  await once(proxy, 'listening');
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  const { code, output } = await comparePublicApi(system, programs, {
    sender: 'nobody',
    url,
    examples: 2,
    seed,
  });
  proxy.close();
  expect(code).toBe(1);
  const found = [...output.matchAll(/^_+ ([A-Z]+ .+?) _+\n([^]*?)(?=^[_=]{5})/gm)].map(
    ([, operation = '', failure = '']) => [
      operation,
      /Response violates schema|Server error/.exec(failure)?.[0],
    ],
  );
  expect(found.toSorted()).toEqual([
    ['GET /api/config', 'Response violates schema'],
    ['POST /api/logout', 'Server error'],
  ]);
  expect(problems()).toEqual(['worker has ended']);
});
