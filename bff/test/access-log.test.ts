import type { ServerResponse } from 'node:http';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createLog } from '@shortlist/kit/process/log';
import { until } from '@shortlist/kit/testing/until';
import { serve, type Serving } from '@shortlist/kit/http/serve';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPipeline } from '../src/pipeline/pipeline.ts';
import type { PublicEndpoint } from '../src/pipeline/public-endpoint.ts';
import type { Session } from '../src/session/session.ts';
import { send } from './support.ts';

type Line = { msg: string; route: string; status: number; userId?: string; actorId?: string };
type Parts = Parameters<typeof createPipeline>[0];

let viewerId: string | null = null;
const session: Session = {
  ...{ id: uuidv7(), userId: uuidv7(), role: 'user', remainingSeconds: 60 },
  ...{ authenticatedAt: 0, needsSecondFactor: false, adminRole: null, viewerId: null, isBeingDeleted: false },
};
const endpoint: PublicEndpoint = {
  ...{ method: 'GET', path: '/notes', bodyBytes: 0, roles: ['anonymous', 'user'] },
  respond: ({ response }) => Promise.resolve(void response.end('{}')),
};
const guarded: PublicEndpoint = {
  ...{ method: 'GET', path: '/admin', bodyBytes: 0, roles: ['admin'], permission: 'users.read' },
  respond: endpoint.respond,
};
const endpoints = [endpoint, guarded];

const lines: Line[] = [];
let serving: Serving;
beforeAll(async () => {
  const parts: Partial<Record<keyof Parts, unknown>> = {
    log: createLog('bff', 'info', { write: (text) => void lines.push(JSON.parse(text) as Line) }),
    metrics: createMetrics('bff'),
    sessions: { check: () => Promise.resolve({ ...session, viewerId }) },
    xsrf: { assert: () => undefined },
    binding: { of: () => ({ user: '', admin: '' }) },
    table: {
      find: (_method: string, path: string) => {
        const found = endpoints.find((candidate) => candidate.path === path);
        return found === undefined ? null : { endpoint: found, params: {} };
      },
    },
    clock: () => new Date(),
    addressOf: () => '192.0.2.9',
    assertHost: () => undefined,
    express: (_request: unknown, response: ServerResponse) => void response.end(),
  };
  serving = await serve(createPipeline(parts as Parts), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  serving.server.closeAllConnections();
  await serving.close();
});

const lineOf = async (path: string, headers: Record<string, string> = {}): Promise<Line | undefined> => {
  lines.length = 0;
  await send(serving.port, path, { headers });
  await until('the line', () => Promise.resolve(lines.some(({ msg }) => msg === 'request')));
  return lines.find(({ msg }) => msg === 'request');
};
const withSession = { authorization: `Bearer ${'A'.repeat(43)}` };

it('the access log names the user of a session by id, and nothing of the token', async () => {
  expect(await lineOf('/notes', withSession)).toMatchObject({ status: 200, userId: session.userId });
  expect(JSON.stringify(lines)).not.toContain('AAAA');
});

it('the access log names a user who was refused', async () => {
  expect(await lineOf('/admin', withSession)).toMatchObject({ status: 403, userId: session.userId });
});

it('the access log names no user without a session', async () => {
  expect(await lineOf('/notes')).not.toHaveProperty('userId');
  expect(await lineOf('/')).not.toHaveProperty('userId');
});

it('D7 the access log names the user and the admin who views the product as the user', async () => {
  expect(await lineOf('/notes', withSession)).not.toHaveProperty('actorId');
  viewerId = uuidv7();
  expect(await lineOf('/notes', withSession)).toMatchObject({
    ...{ status: 403, userId: session.userId, actorId: viewerId },
  });
});
