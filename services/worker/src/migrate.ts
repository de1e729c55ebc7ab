// Migrates the database of worker, for installations in which the account of its processes may not change tables.
import { migrateDatabase } from '@shortlist/kit/migrate';
import { schema } from './db.ts';

await migrateDatabase({ name: 'worker', ...schema }, process.env);
