import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { migrateDatabase } from '@shortlist/kit/data/migrate';
import { type Command, EXIT, type Image } from '../command.ts';
import type { Schema } from '../service-db.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(10));

/** The command that migrates one service's database, with an account that may change tables. */
export const migrateCommand = (name: Image, schema: Schema): Command => ({
  actions: [
    {
      name: '',
      about: `migrates the database of ${name} and ends`,
      words: [],
      options: {},
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async ({ env }) => {
        await migrateDatabase({ name, ...schema }, env);
        return EXIT.done;
      },
    },
  ],
});
