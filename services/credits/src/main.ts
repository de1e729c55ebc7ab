import { createServiceClient } from '@shortlist/kit/http-client';
import { createMetrics } from '@shortlist/kit/metrics';
import { run } from '@shortlist/kit/run';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createTokenSigner } from '@shortlist/kit/service-token';
import { createCredits } from './app.ts';
import { readConfig } from './config.ts';
import { schema } from './db.ts';
import { createCatchUp } from './plans/catch-up.ts';

run('credits', {
  env: process.env,
  start: async (life) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    const sign = createTokenSigner({ key: config.SERVICE_TOKEN_KEY, clock });
    const billing = createServiceClient({ audience: 'billing', url: config.BILLING_URL, sign });
    const service = createCredits({
      db,
      clock,
      log: life.log,
      catchUp: createCatchUp({ db, billing, clock }),
    });
    await openService({ life, config, clock, db, metrics: createMetrics('credits') }, service);
  },
});
