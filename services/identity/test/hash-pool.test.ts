import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createHashPool } from '../src/hash-pool.ts';
import { createHasher } from '../src/passwords.ts';

const PASSWORD = 'correct horse battery';

const pool = createHashPool();
afterAll(() => pool.close());

/** The nice values of this process's threads: the 19th field after the name (`man 5 proc_pid_stat`). */
const niceValues = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

describe('the threads of password hashes', () => {
  it('make and verify the same hashes as the process itself', async () => {
    const [inThread, inProcess] = [await createHasher(undefined, pool), await createHasher()];
    for (const [one, other] of [
      [inThread, inProcess],
      [inProcess, inThread],
    ] as const) {
      const hash = await one.hash(PASSWORD);
      expect(await other.verify(hash, PASSWORD)).toBe(true);
      expect(await other.verify(hash, `${PASSWORD} `)).toBe(false);
    }
  });

  it('have a lower priority than everything else', async () => {
    await pool.hash(PASSWORD);
    const values = niceValues();
    expect(values).toContain(10);
    expect(values.filter((value) => value === 0).length).toBeGreaterThan(3);
  });

  it('throw what the library throws', async () => {
    await expect(pool.verify('no hash', PASSWORD)).rejects.toThrow();
  });
});
