import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ACCOUNT_GUARDS } from './account-guards.ts';
import { CREDIT_GUARDS } from './credit-guards.ts';
import { withoutGuard } from './guard.ts';
import { MONEY_GUARDS } from './money-guards.ts';
import { REQUEST_GUARDS } from './request-guards.ts';

const ROOT = join(import.meta.dirname, '../..');

it.each(Object.entries({ ...MONEY_GUARDS, ...CREDIT_GUARDS, ...REQUEST_GUARDS, ...ACCOUNT_GUARDS }))(
  'the guard %s occurs exactly once in its file, and its tests exist',
  (_name, guard) => {
    expect(withoutGuard(readFileSync(join(ROOT, guard.file), 'utf8'), guard)).not.toBeNull();
    const [file = ''] = guard.tests.split(' > ');
    expect(existsSync(join(ROOT, file))).toBe(true);
  },
);
