// Writes the list of recent proofs in docs/security.md from the endpoints of bff; with --check it fails when the list is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@shortlist/kit/data/redis';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { composeEndpoints } from '../../bff/src/app.ts';
import { createLiveUpdates } from '../../bff/src/handlers/live-updates.ts';
import { readConfig } from '../../bff/src/config.ts';
import { openPlaces } from '../../bff/src/log-in/sign-ins.ts';
import { createSessions } from '../../bff/src/session/sessions.ts';

const PAGE = join(import.meta.dirname, '../../docs/security.md');
const SERVICES = ['IDENTITY', 'PROFILE', 'BILLING', 'CREDITS'];

const BEGIN = '<!-- recent proofs: written by make docs -->';
const END = '<!-- end of recent proofs -->';

/** Nothing connects: the endpoints are composed, and none is called. */
const listEndpoints = async () => {
  const url = 'http://localhost:1';
  const config = readConfig({
    PORT: '1',
    KAFKA_BROKERS: 'localhost:1',
    SESSIONS_REDIS_URL: 'redis://localhost:1',
    XSRF_KEY: 'x'.repeat(64),
    PUBLIC_URL: url,
    WEB_ROOT: import.meta.dirname,
    ...Object.fromEntries(SERVICES.map((name) => [`${name}_URL`, url])),
    ...Object.fromEntries(SERVICES.map((name) => [`${name}_TOKEN_KEYS`, `docs:${'k'.repeat(64)}`])),
  });
  const redis = connectRedis(config.SESSIONS_REDIS_URL, { lazyConnect: true });
  const clock = () => new Date();
  const sessions = createSessions(redis, clock);
  const { endpoints } = composeEndpoints({
    config,
    log: createLog('docs', 'silent'),
    metrics: createMetrics('docs'),
    redis,
    sessions,
    sign: () => Promise.reject(new Error('no endpoint is called')),
    liveUpdates: createLiveUpdates(sessions),
    clock,
    findPlace: await openPlaces(''),
  });
  redis.disconnect();
  return endpoints;
};

const byPermission = Object.groupBy(
  (await listEndpoints()).filter(({ recent }) => recent),
  ({ permission }) => permission ?? '',
);
const lines = Object.entries(byPermission)
  .toSorted()
  .map(([permission, endpoints = []]) => {
    const names = endpoints.map(({ method, path }) => `\`${method} ${path}\``).toSorted();
    return `- ${permission === '' ? 'users' : `\`${permission}\``}: ${names.join(', ')}`;
  });
const page = readFileSync(PAGE, 'utf8');
const [before = '', rest = ''] = page.split(BEGIN);
const [, after = ''] = rest.split(END);
const text = `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (page !== text) {
  process.stderr.write('docs/security.md is stale: run `make docs`\n');
  process.exitCode = 1;
}
