// Writes the list of recent proofs in docs/security.md from the endpoints of bff; with --check it fails when the list is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@shortlist/kit/data/redis';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { composeEndpoints } from '../../bff/src/app.ts';
import { readConfig } from '../../bff/src/config.ts';

const PAGE = join(import.meta.dirname, '../../docs/security.md');
const BEGIN = '<!-- recent proofs: written by make docs -->';
const END = '<!-- end of recent proofs -->';
const URL = 'http://localhost:1';
const SERVICES = ['IDENTITY', 'PROFILE', 'BILLING', 'CREDITS'].flatMap((name) => [
  [`${name}_URL`, URL],
  [`${name}_TOKEN_KEYS`, `docs:${'k'.repeat(64)}`],
]);

const config = readConfig({
  PORT: '1',
  KAFKA_BROKERS: 'localhost:1',
  SESSIONS_REDIS_URL: 'redis://localhost:1',
  XSRF_KEY: 'x'.repeat(64),
  PUBLIC_URL: URL,
  WEB_ROOT: import.meta.dirname,
  ...(Object.fromEntries(SERVICES) as Record<string, string>),
});
const redis = connectRedis(config.SESSIONS_REDIS_URL, { lazyConnect: true });
// No endpoint is called, so that they need nothing else.
const parts = { config, redis, metrics: createMetrics('docs') } as Parameters<typeof composeEndpoints>[0];
const { endpoints } = composeEndpoints(parts);

const byPermission = Object.groupBy(
  endpoints.filter(({ recent }) => recent),
  ({ permission }) => permission ?? '',
);
const lines = Object.entries(byPermission)
  .toSorted()
  .map(([permission, guarded = []]) => {
    const names = guarded.map(({ method, path }) => `\`${method} ${path}\``).toSorted();
    return `- ${permission === '' ? 'users' : `\`${permission}\``}: ${names.join(', ')}`;
  });
const page = readFileSync(PAGE, 'utf8');
const [before = '', rest = ''] = page.split(BEGIN);
const text = `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${rest.split(END)[1] ?? ''}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (page !== text) {
  process.stderr.write('docs/security.md is stale: run `make docs`\n');
  process.exitCode = 1;
}
