import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const PRINT_IMPORTS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => (console.log(name), next(name, context)) });
`)}`;

// TypeORM alone adds 30 MB to a process and 0.1 s to its start; one import from kit is enough to bring it along.
test('the program loads no client of a database', () => {
  const { stdout } = spawnSync(
    process.execPath,
    ['--import', PRINT_IMPORTS, `${import.meta.dirname}/../src/main.ts`],
    { env: {}, encoding: 'utf8', timeout: 60_000 },
  );
  const names = stdout.split('\n');
  expect(names).toContain('ioredis');
  for (const name of ['typeorm', 'mysql2', 'bullmq']) expect(names).not.toContain(name);
});
