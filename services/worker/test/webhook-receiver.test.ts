import type { lookup, LookupAddress } from 'node:dns';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReceiver } from '../src/webhooks/receiver.ts';
import { openReceivingServer } from './open-webhooks.ts';

const secretOf = (text: string): string => `whsec_${Buffer.from(text.padEnd(32)).toString('base64')}`;
const CURRENT = secretOf('current');
const PREVIOUS = secretOf('previous');
const PAYLOAD = '{"type":"credits.low","data":{"text":"50 € left"}}';
const clock = (): Date => new Date();
const message = (url: string, secrets = [CURRENT]) => ({ id: 'msg_1', url, payload: PAYLOAD, secrets });

let server: Awaited<ReturnType<typeof openReceivingServer>>;
beforeAll(async () => {
  server = await openReceivingServer();
});
afterAll(() => server.close());

describe('a message', () => {
  it('I7 verifies with the library of Standard Webhooks under each of two secrets, but no other', async () => {
    const receiver = createReceiver({ clock, targets: 'any' });
    await receiver.send(message(`${server.url}/signed`, [CURRENT, PREVIOUS]));
    const [{ headers, body } = { headers: {}, body: '' }] = server.receivedAt('/signed');
    const sent = headers as Record<string, string>;
    for (const secret of [CURRENT, PREVIOUS])
      expect(new Webhook(secret).verify(body, sent)).toEqual(JSON.parse(PAYLOAD));
    expect(() => new Webhook(secretOf('another')).verify(body, sent)).toThrow(/signature/i);
    expect(() => new Webhook(CURRENT).verify(`${body} `, sent)).toThrow(/signature/i);
    await receiver.close();
  });

  it('is given up after its time limit, even if the response never ends', async () => {
    const receiver = createReceiver({ clock, targets: 'any', tryMs: 300 });
    server.respond('/never', () => null);
    const ended = await receiver.send(message(`${server.url}/never`));
    expect(ended).toMatchObject({ status: null, error: 'timeout' });
    await receiver.close();
  });

  it('to an unreachable system has the reason', async () => {
    const receiver = createReceiver({ clock, targets: 'any' });
    const errorAt = async (url: string) => (await receiver.send(message(url))).error;
    expect(await errorAt('http://127.0.0.1:1/')).toBe('refused');
    expect(await errorAt('https://nowhere.invalid/')).toBe('name');
    expect(await errorAt(server.url.replace('http:', 'https:'))).toMatch(/certificate|connection/);
    await receiver.close();
  });
});

describe('I7 an address that is not public', () => {
  const receiver = createReceiver({ clock, targets: 'public' });
  afterAll(() => receiver.close());

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0.0.0.0/',
    'https://10.0.0.8/',
    'https://172.16.5.4/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/machine?comp=goalstate',
    'https://[::1]/',
    'https://[::ffff:10.0.0.8]/',
    'https://[64:ff9b::a00:8]/',
    'https://[::127.0.0.1]/',
    'https://[4000::1]/',
    'https://[fd00::8]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://kafka.localhost/',
    'http://example.com/',
  ])('%s gets nothing', async (url) => {
    expect(await receiver.send(message(url))).toMatchObject({ status: null, error: 'private_address' });
  });

  it('gets nothing behind a name either, because the name is resolved for the connection itself', async () => {
    let connections = 0;
    const local = createTlsServer({}, () => undefined).on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => void local.listen(0, '127.0.0.1', resolve));
    const { port } = local.address() as AddressInfo;
    const errorWith = async (targets: 'public' | 'any', addresses: string[]) => {
      const found = addresses.map((address) => ({ address, family: 4 }));
      const resolve = ((_host, _options, callback: (error: null, found: LookupAddress[]) => void) =>
        callback(null, found)) as typeof lookup;
      const sender = createReceiver({ clock, targets, resolve });
      const { error } = await sender.send(message(`https://hooks.example.com:${port}/`));
      await sender.close();
      return error;
    };
    expect(await errorWith('public', ['127.0.0.1'])).toBe('private_address');
    expect(await errorWith('public', ['1.1.1.1', '127.0.0.1'])).toBe('private_address');
    expect(connections).toBe(0);
    // Without the rule the same name leads to this machine.
    expect(await errorWith('any', ['127.0.0.1'])).not.toBe('private_address');
    expect(connections).toBe(1);
    local.close();
  });
});
