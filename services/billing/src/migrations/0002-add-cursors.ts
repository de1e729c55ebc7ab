import { migration } from '@shortlist/kit/migration';

export const addCursors = migration('AddCursors1763700004000', [
  // Where reconciliation's walks through the provider's lists stand.
  `CREATE TABLE IF NOT EXISTS cursors (
    walk VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    position VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NULL
  ) ENGINE=InnoDB`,
]);
