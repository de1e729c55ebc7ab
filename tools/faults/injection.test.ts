import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALL_POINTS, createInjection } from './injection.ts';

const ROOT = join(import.meta.dirname, '../..');
const POINT = 'relay.before_publish';

it('the list has every fail point of the sources, and no other', () => {
  const sources = globSync('{bff,packages/*,services/*}/src/**/*.ts', { cwd: ROOT });
  const calls = sources.flatMap((path) => [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(/\b(?:failPoint|loseResponse)\('([^']+)'\)/g),
  ]);
  expect(new Set(calls.map(([, name]) => name))).toEqual(new Set(Object.keys(ALL_POINTS)));
});

/** How a process ends that passes a fail point, with this environment. */
const endOf = async (env: Record<string, string>): Promise<string> => {
  const program = `import { failPoint } from '@shortlist/kit/process/fail-point'; failPoint('${POINT}');`;
  const args = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, {
    cwd: join(ROOT, 'bff'),
    env: { ...process.env, ...env },
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? String(code);
};

it('a fail point kills a process that a fault run has armed, and no other', async () => {
  const injection = await createInjection({ [POINT]: 1 }, 1);
  const armed = injection.environment('bff');
  await injection.switchOn();
  expect(await endOf(armed)).toBe('SIGKILL');
  expect(await endOf({ ...armed, NODE_OPTIONS: '' }), 'the variables alone arm nothing').toBe('0');
  expect(await injection.fired()).toEqual([POINT]);
  await injection.remove();
});
