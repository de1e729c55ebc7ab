import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GUARDS, withoutGuard } from '../../tools/guards/guards.ts';

const ROOT = join(import.meta.dirname, '../..');

it.each(GUARDS.map((guard) => [guard.name, guard] as const))(
  'the guard %s stands in its file exactly once, and its tests are there',
  (_, guard) => {
    expect(withoutGuard(readFileSync(join(ROOT, guard.file), 'utf8'), guard)).not.toBeNull();
    expect(guard.tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  },
);
