import { createMetrics } from '@shortlist/kit/metrics';
import { run } from '@shortlist/kit/run';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createIdentity } from './app.ts';
import { readConfig } from './config.ts';
import { createHasher } from './credentials/hasher.ts';
import { schema } from './db.ts';

run('identity', {
  env: process.env,
  start: async (life) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    const hasher = await createHasher();
    const service = createIdentity({ db, hasher, clock, log: life.log, passwordMin: config.PASSWORD_MIN });
    await openService({ life, config, clock, db, metrics: createMetrics('identity') }, service);
  },
});
