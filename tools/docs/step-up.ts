// Writes docs/security/step-up.md from the endpoints of bff; with --check it fails when the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@shortlist/kit/data/redis';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { composeEndpoints } from '../../bff/src/app.ts';
import { createLiveUpdates } from '../../bff/src/browser/live-updates.ts';
import { readConfig } from '../../bff/src/config.ts';
import { openPlaces } from '../../bff/src/places/places.ts';
import { createSessions } from '../../bff/src/session/sessions.ts';

const PAGE = join(import.meta.dirname, '../../docs/security/step-up.md');
const SERVICES = ['IDENTITY', 'PROFILE', 'BILLING', 'CREDITS'];

const HEAD = `# Recent proofs

Generated from the endpoints of bff by \`make docs\`. A session that is minutes old may be stolen, or left open on a desk: each of these needs a
proof of its user within the last ten minutes, by a factor where one is set up (\`bff/src/pages/reauthenticate.ts\`). Two more need it where the
password that the request contains is no proof, because a second factor is set up: a change of the own password, by itself or in the profile,
and of the own address (\`bff/src/proofs/assert-password-suffices.ts\`). An admin who sets the password of a user in the form of the
profile needs it always (\`bff/src/pages/edit-user.ts\`). The rule: what gives or takes access, moves money or plans, or leaves with personal
data.

`;

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

const rows = (await listEndpoints())
  .filter(({ recent }) => recent)
  .map(({ method, path, roles, permission }) => {
    const callers = roles === 'public' ? 'all' : roles.join(', ');
    return `| \`${method} ${path}\` | ${callers} | ${permission === undefined ? '' : `\`${permission}\``} |`;
  })
  .toSorted();
const text = `${HEAD}| endpoint | callers | permission of an admin |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (readFileSync(PAGE, 'utf8') !== text) {
  process.stderr.write('docs/security/step-up.md is stale: run `make docs`\n');
  process.exitCode = 1;
}
