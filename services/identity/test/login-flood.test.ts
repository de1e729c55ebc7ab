import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createHasher } from '../src/credentials/hasher.ts';

const MEGABYTE = 1024 * 1024;
/** What one hash holds while it is at work (m = 19 456 KiB). */
const HASH_MEGABYTES = 19;

describe('a flood of logins', () => {
  it('A7 is hashed a few at a time, waits in a queue with an end, and beyond it is told to come back', async () => {
    const hasher = await createHasher();
    const hash = await hasher.hash('open sesame');
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 5);
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, () =>
        hasher.verify(hash, 'open sesame').then(
          (right) => String(right),
          (error: { code: string; status: number; retryAfterSeconds: number }) =>
            `${error.code} ${error.status} ${error.retryAfterSeconds}`,
        ),
      ),
    );
    clearInterval(watch);
    const verified = outcomes.filter((outcome) => outcome === 'true').length;
    expect(verified).toBe(200 + availableParallelism());
    expect(outcomes.filter((outcome) => outcome === 'identity.busy 503 2')).toHaveLength(400 - verified);
    // All four hundred at once would hold over seven gigabytes.
    expect(most / MEGABYTE).toBeLessThan(HASH_MEGABYTES * availableParallelism() + 100);
    expect(await hasher.verify(hash, 'open sesame')).toBe(true); // and the gate is open again
  });
});
