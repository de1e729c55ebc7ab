import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Kafka, logLevel } from 'kafkajs';
import { expect, it } from 'vitest';

it('B5 a request to a broker that accepts connections and never responds fails after its time limit', async () => {
  const silent = createServer((socket) => socket.on('error', () => socket.destroy()));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const kafka = new Kafka({
    brokers: [`127.0.0.1:${port}`],
    requestTimeout: 300,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  });
  const startedAt = performance.now();
  await expect(kafka.admin().connect()).rejects.toThrow('timed out');
  const elapsed = performance.now() - startedAt;
  expect(elapsed).toBeGreaterThan(300);
  expect(elapsed).toBeLessThan(5_000);
  silent.close();
});
