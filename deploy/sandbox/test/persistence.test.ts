import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { hearer, start, subscribe, until } from './support.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

test('a second start keeps the data, the clock, the keys and the open deliveries', async () => {
  const path = folder();
  const ears = await hearer();
  ears.answer.status = 500;
  const config = { stateFile: join(path, 'state.json'), webhookUrl: ears.url };
  const first = await start({ config });
  const { subscription } = await subscribe(first);
  const made = await first.stripe.customers.create({ name: 'x' }, { idempotencyKey: 'k-1' });
  await first.control('POST', '/clock/advance', { seconds: 100 });
  await until(() => ears.heard.length > 5);
  await first.close();
  expect(readdirSync(path)).toEqual(['state.json']);

  ears.answer.status = 200;
  const second = await start({ config });
  expect((await second.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  const again = await second.stripe.customers.create({ name: 'x' }, { idempotencyKey: 'k-1' });
  expect(again.id).toBe(made.id);
  expect((await second.control('GET', '/clock')).body.offsetSeconds).toBe(100);
  await until(async () => {
    const { data } = (await second.control('GET', '/events')).body;
    return data.every(({ status }) => status === 'delivered');
  });
});

test('changes are on disk soon, without a stop', async () => {
  const path = folder();
  const { stripe } = await start({ config: { stateFile: join(path, 'state.json') } });
  await stripe.customers.create({});
  await until(() => readdirSync(path).includes('state.json'));
});

test('a broken state file stops the start with the way out', async () => {
  const stateFile = join(folder(), 'state.json');
  writeFileSync(stateFile, '{"customers":');
  await expect(start({ config: { stateFile } })).rejects.toThrow('remove it to begin anew');
});

test('missing variables are all named at once', () => {
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

test('the process starts, is ready and ends on SIGTERM', async () => {
  const stateFile = join(folder(), 'state.json');
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
