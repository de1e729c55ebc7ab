import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startReceiver, startSandbox, subscribe, waitUntil } from './support.ts';

const createTempFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

describe('persistence', () => {
  it('a restart keeps the data, the clock, the idempotency keys and the pending deliveries', async () => {
    const path = createTempFolder();
    const receiver = await startReceiver();
    receiver.nextResponse.status = 500;
    const config = { stateFile: join(path, 'state.json'), webhookUrl: receiver.url };
    const first = await startSandbox({ config });
    const { subscription } = await subscribe(first);
    const created = await first.stripe.customers.create({ name: 'x' }, { idempotencyKey: 'k-1' });
    await first.control('POST', '/clock/advance', { seconds: 100 });
    await waitUntil(() => receiver.received.length > 5);
    await first.close();
    expect(readdirSync(path)).toEqual(['state.json']);

    receiver.nextResponse.status = 200;
    const second = await startSandbox({ config });
    expect((await second.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    const again = await second.stripe.customers.create({ name: 'x' }, { idempotencyKey: 'k-1' });
    expect(again.id).toBe(created.id);
    expect((await second.control('GET', '/clock')).body.offsetSeconds).toBe(100);
    await waitUntil(async () => {
      const { data } = (await second.control('GET', '/events')).body;
      return data.every(({ status }) => status === 'delivered');
    });
  });

  it('changes are saved without a shutdown', async () => {
    const path = createTempFolder();
    const { stripe } = await startSandbox({ config: { stateFile: join(path, 'state.json') } });
    await stripe.customers.create({});
    await waitUntil(() => readdirSync(path).includes('state.json'));
  });

  it('a corrupt state file stops the start with a message that says how to continue', async () => {
    const stateFile = join(createTempFolder(), 'state.json');
    writeFileSync(stateFile, '{"customers":');
    await expect(startSandbox({ config: { stateFile } })).rejects.toThrow('remove it to start empty');
  });
});

describe('configuration', () => {
  it('an error names all missing variables', () => {
    expect(() => readConfig({ PORT: '5010' })).toThrow(
      'The sandbox cannot start: these variables are missing: WEBHOOK_URL, WEBHOOK_SECRET, STRIPE_SECRET_KEY, MAIL_API_KEY.',
    );
    const complete = {
      WEBHOOK_URL: 'nonsense',
      WEBHOOK_SECRET: 'x',
      STRIPE_SECRET_KEY: 'y',
      MAIL_API_KEY: 'z',
    };
    expect(() => readConfig({ ...complete, PORT: '1' })).toThrow(
      /WEBHOOK_URL.*WEBHOOK_SECRET" must begin with whsec_/,
    );
  });
});

describe('sandbox process', () => {
  it('starts, reports ready and exits on SIGTERM', async () => {
    const stateFile = join(createTempFolder(), 'state.json');
    const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
      env: {
        PORT: '0',
        WEBHOOK_URL: 'http://127.0.0.1:9/',
        WEBHOOK_SECRET: 'whsec_x',
        STRIPE_SECRET_KEY: 'sk_test_x',
        MAIL_API_KEY: 'SG.x',
        SANDBOX_STATE_FILE: stateFile,
      },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\S+/.exec(line.toString())?.[0] ?? '';
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
    expect(readdirSync(join(stateFile, '..'))).toEqual(['state.json']);
  });
});
