import { availableParallelism } from 'node:os';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createError } from '@shortlist/kit/process/errors';
import { describe, expect, it } from 'vitest';
import { createHasher } from '../src/passwords.ts';

const MEGABYTE = 1024 * 1024;
/** The memory of one hash while it is computed (m = 19 456 KiB). */
const HASH_MEGABYTES = 19;

describe('a flood of logins', () => {
  it('A7 is hashed by as many threads as cores, waits in a bounded queue, and is refused with 503 beyond it', async () => {
    const metrics = createMetrics('identity');
    const hasher = await createHasher(metrics);
    const hash = await hasher.hash('open sesame');
    const before = process.memoryUsage.rss();
    let maximum = 0;
    const watch = setInterval(() => (maximum = Math.max(maximum, process.memoryUsage.rss() - before)), 5);
    const flood = Promise.all(
      Array.from({ length: 400 }, () =>
        hasher.verify(hash, 'open sesame').then(
          (isCorrect) => String(isCorrect),
          (error: { code: string; status: number; retryAfterSeconds: number }) =>
            `${error.code} ${error.status} ${error.retryAfterSeconds}`,
        ),
      ),
    );
    expect(await metrics.text()).toMatch(/^hash_queue_waiting\{.*\} \d{2,3}$/m);
    const outcomes = await flood;
    clearInterval(watch);
    const verified = outcomes.filter((outcome) => outcome === 'true').length;
    expect(verified).toBe(200 + availableParallelism());
    expect(outcomes.filter((outcome) => outcome === 'identity.busy 503 2')).toHaveLength(400 - verified);
    const text = await metrics.text();
    expect(text).toMatch(/^hash_queue_waiting\{.*\} 0$/m);
    expect(text).toMatch(new RegExp(`^hash_queue_refused_total\\{.*\\} ${400 - verified}$`, 'm'));
    expect(text).toMatch(new RegExp(`^hash_queue_wait_seconds_count\\{.*\\} ${verified + 1}$`, 'm'));
    // Four hundred concurrent hashes would take over seven gigabytes.
    expect(maximum / MEGABYTE).toBeLessThan(HASH_MEGABYTES * availableParallelism() + 100);
    expect(await hasher.verify(hash, 'open sesame')).toBe(true); // the queue accepts work again
  });

  it('drops the queued hashes of clients that have disconnected, which frees their places in the queue', async () => {
    const hasher = await createHasher();
    const hash = await hasher.hash('open sesame');
    const left = new AbortController();
    const flood = Array.from({ length: 190 }, () =>
      hasher.verify(hash, 'open sesame', left.signal).then(String, (error: { code: string }) => error.code),
    );
    left.abort(createError('request.aborted'));
    const later = await Promise.all(Array.from({ length: 200 }, () => hasher.verify(hash, 'open sesame')));
    expect(later).toHaveLength(200); // none was refused as `identity.busy`
    const outcomes = await Promise.all(flood);
    const started = outcomes.filter((outcome) => outcome === 'true').length;
    expect(started).toBe(availableParallelism());
    expect(outcomes.filter((outcome) => outcome === 'request.aborted')).toHaveLength(190 - started);
  });
});
