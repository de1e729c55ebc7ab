// A process that migrates, which migration-steps.test.ts kills. It gets the database's URL.
import { connect, createDb } from '../src/data/db.ts';
import { silent } from './notes-table.ts';
import { schema } from './stepped-migration.ts';

await connect(createDb({ url: process.argv[2] ?? '', ...schema }), silent);
