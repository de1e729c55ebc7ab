import { databaseNow } from '@shortlist/kit/data/db';
import { run } from '@shortlist/kit/process/lifecycle';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createIdentity } from './app.ts';
import { readConfig } from './config.ts';
import { schema } from './db.ts';
import { createFactorKeys } from './factors/factor-keys.ts';
import { createHasher, createPasswordPolicy } from './passwords.ts';

run('identity', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    const metrics = createMetrics('identity', config.VERSION);
    const hasher = await createHasher(metrics);
    const service = createIdentity({
      db,
      hasher,
      clock,
      sharedClock: databaseNow,
      log: lifecycle.log,
      webhookTargets: config.WEBHOOK_TARGETS,
      passwordPolicy: createPasswordPolicy({
        min: config.PASSWORD_MIN,
        breachedUrl: config.BREACHED_PASSWORDS_URL,
        log: lifecycle.log,
      }),
      publicUrl: config.PUBLIC_URL,
      keys: createFactorKeys(config.FACTOR_KEY),
    });
    const tokenKeys = config.IDENTITY_TOKEN_KEYS;
    await openService({ lifecycle, config, clock, db, metrics, tokenKeys }, service);
  },
});
