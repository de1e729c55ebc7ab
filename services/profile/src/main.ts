import { createMetrics } from '@shortlist/kit/metrics';
import { run } from '@shortlist/kit/run';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createProfileService } from './app.ts';
import { readConfig } from './config.ts';
import { schema } from './db.ts';

run('profile', {
  env: process.env,
  start: async (life) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    await openService(
      { life, config, clock, db, metrics: createMetrics('profile') },
      createProfileService({ db, clock }),
    );
  },
});
