import { sign, verify } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { envFile, eventPublicKey, makeSecrets, readSecrets, SECRET_NAMES } from '../src/host/secrets.ts';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlist-secrets-'));
  file = join(directory, 'deeper', 'secrets.env');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the secrets of a clone', () => {
  it('are generated once and stay the same', async () => {
    const first = await readSecrets(file);
    expect(Object.keys(first).sort()).toEqual([...SECRET_NAMES].sort());
    expect(await readSecrets(file)).toEqual(first);
  });

  it('are readable by their owner alone', async () => {
    await readSecrets(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('gain the names that the file lacks and keep the others', async () => {
    const first = await readSecrets(file);
    const shorter = (await readFile(file, 'utf8')).replace(/^XSRF_KEY=.*\n/m, '');
    await writeFile(file, shorter);
    const second = await readSecrets(file);
    expect({ ...second, XSRF_KEY: '' }).toEqual({ ...first, XSRF_KEY: '' });
    expect(second.XSRF_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(await readSecrets(file)).toEqual(second);
  });

  it('include an edit of the file', async () => {
    await readSecrets(file);
    await appendFile(file, 'ADMIN_EMAIL=boss@shortlist.test\n');
    expect((await readSecrets(file)).ADMIN_EMAIL).toBe('boss@shortlist.test');
  });

  it('differ between two clones', () => {
    const [one, other] = [makeSecrets(), makeSecrets()];
    const same = SECRET_NAMES.filter((name) => one[name] === other[name]);
    expect(same).toEqual(['ADMIN_EMAIL']);
  });
});

describe('.env for containers', () => {
  const secrets = makeSecrets();

  it('has every secret and nothing of the environment by default', () => {
    const lines = envFile(secrets, { PATH: '/bin', BRAND: '' }).trimEnd().split('\n');
    const all = { ...secrets, SENDGRID_WEBHOOK_PUBLIC_KEY: eventPublicKey(secrets) };
    expect(lines).toEqual(Object.entries(all).map(([name, value]) => `${name}=${value}`));
  });

  it('has the public key of the pair with which the sandbox signs mail events', () => {
    const key = {
      key: Buffer.from(secrets.SENDGRID_WEBHOOK_PRIVATE_KEY, 'base64'),
      format: 'der',
      type: 'pkcs8',
    } as const;
    const signature = sign('sha256', Buffer.from('batch'), key);
    const [, text = ''] = /^SENDGRID_WEBHOOK_PUBLIC_KEY=(.*)$/m.exec(envFile(secrets, {})) ?? [];
    const publicKey = { key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' } as const;
    expect(verify('sha256', Buffer.from('batch'), publicKey, signature)).toBe(true);
    expect(verify('sha256', Buffer.from('other'), publicKey, signature)).toBe(false);
  });

  it('has BRAND, LINK_* and TERMS_* where the environment sets them', () => {
    expect(envFile(secrets, { TERMS_VERSION: '2026-11' }).endsWith('TERMS_VERSION=2026-11\n')).toBe(true);
    const text = envFile(secrets, { BRAND: 'Bob’s $ People', LINK_CRM: 'https://crm.test/#a', LINK: 'x' });
    expect(text.endsWith("BRAND='Bob’s $ People'\nLINK_CRM='https://crm.test/#a'\n")).toBe(true);
  });
});
