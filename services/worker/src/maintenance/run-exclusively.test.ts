import { describe, expect, it } from 'vitest';
import { runExclusively } from './run-exclusively.ts';

describe('runExclusively', () => {
  it('skips a job whose kind still runs, and delays no other kind', async () => {
    const hanging = Promise.withResolvers<void>();
    const started: string[] = [];
    const run = runExclusively((name) => {
      started.push(name);
      return name === 'reconcile' ? hanging.promise : Promise.resolve();
    });
    const first = run('reconcile');
    await run('reconcile');
    await run('sweep');
    await run('sweep');
    expect(started).toEqual(['reconcile', 'sweep', 'sweep']);
    hanging.resolve();
    await first;
    await run('reconcile');
    expect(started.filter((name) => name === 'reconcile')).toHaveLength(2);
  });

  it('runs a job again after it has failed', async () => {
    let tries = 0;
    const run = runExclusively(() => {
      tries += 1;
      return Promise.reject(new Error('unavailable'));
    });
    await expect(run('reset')).rejects.toThrow('unavailable');
    await expect(run('reset')).rejects.toThrow('unavailable');
    expect(tries).toBe(2);
  });
});
