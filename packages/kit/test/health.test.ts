import { describe, expect, it } from 'vitest';
import { createHealth, serveOperatorEndpoints } from '../src/http/health.ts';
import { createLog } from '../src/process/log.ts';
import { createMetrics } from '../src/process/metrics.ts';

describe('health', () => {
  it('K1 liveness depends on nothing and readiness on the database, and neither needs a token', async () => {
    let databaseIsThere = true;
    const health = createHealth({
      database: () => (databaseIsThere ? Promise.resolve() : Promise.reject(new Error('gone'))),
    });
    const { port, close } = await serveOperatorEndpoints(
      { log: createLog('notes', 'silent'), health, metrics: createMetrics('notes'), version: '1.2.3' },
      { host: '127.0.0.1', port: 0 },
    );
    const status = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const states = async (): Promise<number[]> => [
      await status('/health/live'),
      await status('/health/ready'),
    ];
    expect(await states()).toEqual([200, 200]);
    databaseIsThere = false;
    expect(await states()).toEqual([200, 200]); // a single failure changes nothing
    const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // A scrape reads the check and does not count for readiness.
    expect(await metrics()).toMatch(/^dependency_up\{dependency="database".*\} 0$/m);
    expect(await states()).toEqual([200, 503]);
    databaseIsThere = true;
    expect(await states()).toEqual([200, 200]);
    expect(await metrics()).toMatch(/^dependency_up\{dependency="database".*\} 1$/m);
    expect(await status('/notes')).toBe(404);
    const reply = async (path: string): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).json();
    expect(await reply('/health/live')).toEqual({ status: 'live', version: '1.2.3' });
    expect(await reply('/health/ready')).toMatchObject({ status: 'ready', version: '1.2.3' });
    await close();
  });

  it('K1 a check that hangs fails after a second', async () => {
    const health = createHealth({ slow: () => new Promise(() => undefined) });
    const began = performance.now();
    expect(await health.ready()).toEqual({ ready: false, checks: { slow: 'timed out' } });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('K1 a check that has never succeeded makes the process not ready', async () => {
    const health = createHealth({ database: () => Promise.reject(new Error('not there yet')) });
    expect((await health.ready()).ready).toBe(false);
  });
});
