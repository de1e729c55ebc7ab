import { createServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createCredits } from './app.ts';
import { createCatchUp } from './charges/catch-up.ts';
import { readConfig } from './config.ts';
import { schema } from './db.ts';

run('credits', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    const sign = createTokenSigner({ keys: { billing: config.BILLING_TOKEN_KEYS }, clock });
    const pool = createServicePool(config.BILLING_URL);
    const billing = createServiceClient({ audience: 'billing', pool, sign });
    const metrics = createMetrics('credits', config.VERSION);
    const catchUp = createCatchUp(db, billing, clock);
    const service = createCredits({ db, clock, log: lifecycle.log, catchUp }, metrics);
    const tokenKeys = config.CREDITS_TOKEN_KEYS;
    await openService({ lifecycle, config, clock, db, metrics, tokenKeys }, service);
  },
});
