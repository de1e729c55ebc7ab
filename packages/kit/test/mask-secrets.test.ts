import { expect, it } from 'vitest';
import { maskSecrets, MASKED } from '../src/process/mask-secrets.ts';

it('members named like a secret are hidden, at any depth, and others stay', () => {
  const list = [{ webhook_secret: 'x', amount: 5900, hasPassword: true }];
  const event = { id: 'in_1', data: { accessToken: 'abc', tokens: ['one'], list } };
  expect(JSON.parse(maskSecrets(JSON.stringify(event)))).toEqual({
    id: 'in_1',
    data: {
      accessToken: MASKED,
      tokens: MASKED,
      list: [{ webhook_secret: MASKED, amount: 5900, hasPassword: true }],
    },
  });
});

it.each([
  ['a key of Stripe', 'sk_live_51Habcdefgh'],
  ['a signing secret', 'whsec_abcdefghij'],
  ['a key of SendGrid', 'SG.abcdefghijklmnop.qrstuv'],
  ['a token', 'eyJhbGciOi.eyJzdWIi.c2ln'],
  ['a bearer', 'Bearer 0123456789'],
])('%s is hidden in text and in JSON', (_what, secret) => {
  expect(maskSecrets(`refused: ${secret}`)).toBe(`refused: ${MASKED}`);
  expect(maskSecrets(JSON.stringify({ note: secret }))).toBe(JSON.stringify({ note: MASKED }));
});

it('ids of Stripe and of events are no secrets', () => {
  const text = JSON.stringify({ id: 'evt_1QN8zKfa02', customer: 'cus_NffrFeUfNV2Hib', of: 'in_1' });
  expect(maskSecrets(text)).toBe(text);
});
