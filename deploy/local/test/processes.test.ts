import { sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeSecrets, SECRET_NAMES } from '../src/host/secrets.ts';
import {
  BACKING_OFFSET,
  portsFromBase,
  PROCESS_NAMES,
  processPorts,
  type ProcessName,
  readBasePort,
} from '../src/system/ports.ts';
import { planProcess } from '../src/system/processes.ts';

const backing = {
  databaseAdminUrl: 'mysql://root:root-password@127.0.0.1:5020',
  sessionsRedisUrl: 'redis://127.0.0.1:5021',
  queueRedisUrl: 'redis://127.0.0.1:5022',
  kafkaBrokers: '127.0.0.1:5023',
};
const secrets = makeSecrets();

const environmentOf = (name: ProcessName, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const common = { root: '/root', directory: '/data', publicUrl: 'http://localhost:5000' };
  return planProcess({ ...common, ...portsFromBase(5000), secrets, backing, env }, name).env;
};

describe('the plan of the processes without real keys', () => {
  it('points payments and mail at the sandbox', () => {
    expect(environmentOf('billing').STRIPE_API_BASE).toBe('http://127.0.0.1:5010');
    expect(environmentOf('worker').MAIL_API_BASE).toBe('http://127.0.0.1:5010');
  });

  it('gives the sandbox its own address, not that of the product', () => {
    expect(environmentOf('sandbox').PUBLIC_URL).toBe('http://localhost:5010');
    expect(environmentOf('billing').PUBLIC_URL).toBe('http://localhost:5000');
  });

  it('links customers to the pages of the sandbox, unless the environment has another address', () => {
    expect(environmentOf('bff').LINK_PROVIDER).toBe('http://localhost:5010');
    const LINK_PROVIDER = 'https://pay.test';
    expect(environmentOf('bff', { LINK_PROVIDER }).LINK_PROVIDER).toBe('https://pay.test');
  });

  it('has billing expect the webhook endpoint that the sandbox has', () => {
    expect(environmentOf('billing').STRIPE_WEBHOOK_URL).toBe(environmentOf('sandbox').WEBHOOK_URL);
  });

  it('has the sandbox sign with the secret that billing checks', () => {
    expect(environmentOf('sandbox').WEBHOOK_SECRET).toBe(environmentOf('billing').STRIPE_WEBHOOK_SECRETS);
  });

  it('has the sandbox send mail events to worker, signed with the key that worker checks', () => {
    const { MAIL_EVENTS_URL, MAIL_EVENTS_KEY = '' } = environmentOf('sandbox');
    const { PORT, SENDGRID_WEBHOOK_PUBLIC_KEY: key = '' } = environmentOf('worker');
    expect(MAIL_EVENTS_URL).toBe(`http://127.0.0.1:${PORT}/webhooks/sendgrid`);
    const privateKey = { key: Buffer.from(MAIL_EVENTS_KEY, 'base64'), format: 'der', type: 'pkcs8' } as const;
    const publicKey = { key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' } as const;
    const signature = sign('sha256', Buffer.from('x'), privateKey);
    expect(verify('sha256', Buffer.from('x'), publicKey, signature)).toBe(true);
  });

  it('gives no process but the sandbox the key that signs mail events', () => {
    for (const name of PROCESS_NAMES.filter((each) => each !== 'sandbox'))
      expect(Object.values(environmentOf(name))).not.toContain(environmentOf('sandbox').MAIL_EVENTS_KEY);
  });
});

describe('the plan of the processes with real keys in the environment', () => {
  const env = {
    STRIPE_SECRET_KEY: 'sk_test_real',
    STRIPE_WEBHOOK_SECRETS: 'whsec_a,whsec_b',
    SENDGRID_API_KEY: 'SG.real',
  };

  it('calls Stripe and SendGrid themselves', () => {
    expect(environmentOf('billing', env)).toMatchObject({
      STRIPE_SECRET_KEY: 'sk_test_real',
      STRIPE_WEBHOOK_SECRETS: 'whsec_a,whsec_b',
    });
    expect(environmentOf('billing', env).STRIPE_API_BASE).toBeUndefined();
    expect(environmentOf('worker', env).MAIL_API_BASE).toBeUndefined();
    expect(environmentOf('worker', env).SENDGRID_WEBHOOK_PUBLIC_KEY).toBeUndefined();
    const withKey = { ...env, SENDGRID_WEBHOOK_PUBLIC_KEY: 'MFkw' };
    expect(environmentOf('worker', withKey).SENDGRID_WEBHOOK_PUBLIC_KEY).toBe('MFkw');
  });

  it("links customers to the pages of the key's mode", () => {
    expect(environmentOf('bff', env).LINK_PROVIDER).toBe('https://dashboard.stripe.com/test');
    const live = { ...env, STRIPE_SECRET_KEY: 'sk_live_real' };
    expect(environmentOf('bff', live).LINK_PROVIDER).toBe('https://dashboard.stripe.com');
  });

  it('has billing read the events itself, unless the environment says that webhooks arrive', () => {
    expect(environmentOf('billing', env).STRIPE_EVENTS).toBe('poll');
    expect(environmentOf('billing', { ...env, STRIPE_EVENTS: 'webhook' }).STRIPE_EVENTS).toBe('webhook');
    expect(environmentOf('billing').STRIPE_EVENTS).toBe('webhook');
  });

  it('gives the keys to their owner alone', () => {
    for (const name of ['sandbox', 'identity', 'credits', 'bff'] as const) {
      expect(Object.values(environmentOf(name, env))).not.toContain('sk_test_real');
      expect(Object.values(environmentOf(name, env))).not.toContain('SG.real');
    }
  });
});

it('the plan gives no service the database of another', () => {
  expect(environmentOf('credits').DATABASE_URL).toContain(`credits:${secrets.CREDITS_DB_PASSWORD}@`);
  for (const name of ['profile', 'bff', 'sandbox'] as const) {
    expect(JSON.stringify(environmentOf(name))).not.toContain(secrets.CREDITS_DB_PASSWORD);
  }
});

it('the plan gives no process the password of the database root or of the admin', () => {
  const env = Object.fromEntries(SECRET_NAMES.map((name) => [name, 'from-outside']));
  const text = JSON.stringify(environmentOf('identity', { ...env, DATABASE_ADMIN_URL: 'root-password' }));
  expect(text).not.toContain('root-password');
  expect(text).not.toContain('from-outside');
  expect(text).not.toContain(secrets.ADMIN_PASSWORD);
});

it('a person who starts the product meets the limits of attempts of production, unless a variable says otherwise', () => {
  expect(environmentOf('bff')).not.toHaveProperty('LOGIN_LIMIT');
  expect(environmentOf('bff')).not.toHaveProperty('SIGNUP_LIMIT');
  const limits = { LOGIN_LIMIT: '1000', SIGNUP_LIMIT: '500' };
  expect(environmentOf('bff', limits)).toMatchObject(limits);
});

it('every port follows from the first one, and no two are the same', () => {
  expect(portsFromBase(7000).ports).toMatchObject({ bff: 7000, worker: 7005, sandbox: 7010 });
  const all = processPorts(7000);
  expect(all).toHaveLength(14);
  expect(Math.max(...all)).toBeLessThan(7000 + BACKING_OFFSET);
});

it('the first port is 5000 or a whole number that leaves room for the others', () => {
  expect(readBasePort(undefined)).toBe(5000);
  expect(readBasePort('7000')).toBe(7000);
  for (const value of ['80', '65001', '5000.5', 'five'])
    expect(() => readBasePort(value)).toThrow('PORT must be a whole number from 1024 to 65000');
});

it('BRAND and LINK_* reach every process', () => {
  const env = { BRAND: 'People', LINK_CRM: 'https://crm.test' };
  expect(environmentOf('bff', env)).toMatchObject(env);
  expect(environmentOf('worker', env)).toMatchObject(env);
});
