import { migration } from '../src/data/migration.ts';
import { inSteps } from '../src/data/migration-steps.ts';

/** Not idempotent: a row that it changed twice would show. */
const COUNT = inSteps({
  name: 'count changes',
  table: 'items',
  column: 'owner',
  sql: 'UPDATE items SET changes = changes + 1 WHERE owner BETWEEN ? AND ?',
  size: 10,
});

export const schema = { entities: [], migrations: [migration('CountChanges1700000000003', [COUNT])] };
