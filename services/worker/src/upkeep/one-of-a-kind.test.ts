import { expect, it } from 'vitest';
import { oneOfAKind } from './one-of-a-kind.ts';

it('a job that hangs holds up no other kind, and is not begun again beside itself', async () => {
  const hanging = Promise.withResolvers<void>();
  const begun: string[] = [];
  const run = oneOfAKind((name) => {
    begun.push(name);
    return name === 'reconcile' ? hanging.promise : Promise.resolve();
  });
  const first = run('reconcile');
  await run('reconcile');
  await run('sweep');
  await run('sweep');
  expect(begun).toEqual(['reconcile', 'sweep', 'sweep']);
  hanging.resolve();
  await first;
  await run('reconcile');
  expect(begun.filter((name) => name === 'reconcile')).toHaveLength(2);
});

it('a job that failed is begun again with its next beat', async () => {
  let tries = 0;
  const run = oneOfAKind(() => {
    tries += 1;
    return Promise.reject(new Error('away'));
  });
  await expect(run('reset')).rejects.toThrow('away');
  await expect(run('reset')).rejects.toThrow('away');
  expect(tries).toBe(2);
});
