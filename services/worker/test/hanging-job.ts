// A process that begins a job and never ends it. exclusive.test.ts starts it with the database's URL and the kind of job.
import { connect, createDb } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { runExclusively } from '../src/maintenance/maintenance-jobs.ts';

const [url = '', name = ''] = process.argv.slice(2);
const db = createDb({ url, entities: [], migrations: [] });
await connect(db, createLog('test', 'silent'));
const hang = (): Promise<void> => {
  process.send?.('begun');
  return new Promise(() => setInterval(() => undefined, 1_000));
};
await runExclusively(db, { [name]: hang })[name]?.();
