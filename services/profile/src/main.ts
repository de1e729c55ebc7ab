import { createMetrics } from '@shortlist/kit/process/metrics';
import { run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createProfileService } from './app.ts';
import { readConfig } from './config.ts';
import { schema } from './db.ts';

run('profile', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    await openService(
      {
        lifecycle,
        config,
        clock,
        db,
        metrics: createMetrics('profile', config.VERSION),
        tokenKeys: config.PROFILE_TOKEN_KEYS,
      },
      createProfileService({ db, clock }),
    );
  },
});
