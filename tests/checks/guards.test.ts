import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutGuard } from '../../tools/guards/guard.ts';
import { GUARDS } from '../../tools/guards/guards.ts';

const ROOT = join(import.meta.dirname, '../..');

it.each(GUARDS.map((guard) => [guard.name, guard] as const))(
  'the guard %s occurs exactly once in its file, and its tests exist',
  (_, guard) => {
    expect(withoutGuard(readFileSync(join(ROOT, guard.file), 'utf8'), guard)).not.toBeNull();
    expect(guard.tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  },
);
