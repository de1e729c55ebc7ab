import type { ApiKey } from '@shortlist/contracts/api/connected-apps';
import { expect, test } from 'vitest';
import {
  expiryDays,
  hasExpired,
  keyRules,
  listedKeys,
  NEW_KEY,
  phraseOf,
  scopesIn,
} from './connections.rules.ts';

const apiKey = (number: number, change: Partial<ApiKey> = {}): ApiKey => ({
  id: `key ${number}`,
  name: 'Report',
  scopes: ['credits:read'],
  hint: 'sl_live_…8f2Q',
  createdAt: '2026-11-04T09:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsed: null,
  ...change,
});

const NOW = Date.parse('2026-11-21T09:00:00.000Z');

test('a key expires at its time, and not before', () => {
  const at = (expiresAt: string | null) => hasExpired(apiKey(1, { expiresAt }), NOW);
  expect([null, '2026-11-21T09:00:00.001Z', '2026-11-21T09:00:00.000Z'].map(at)).toEqual([
    false,
    false,
    true,
  ]);
});

test('revoked keys are not listed, expired ones are', () => {
  const expired = apiKey(1, { expiresAt: '2026-11-01T09:00:00.000Z' });
  const revoked = apiKey(2, { revokedAt: '2026-11-20T09:00:00.000Z' });
  expect(listedKeys([expired, revoked, apiKey(3)]).map(({ id }) => id)).toEqual([expired.id, apiKey(3).id]);
});

test('what a key may do is one sentence, in the order of the form', () => {
  expect(phraseOf(['profile:read'])).toBe('Reads your profile');
  expect(phraseOf(['profile:read', 'credits:charge', 'credits:read'])).toBe(
    'Reads credits and usage, uses credits, reads your profile',
  );
});

test('a new key needs a name and something that it may do', () => {
  expect(keyRules(NEW_KEY)).toEqual({ name: 'Please enter a name' });
  expect(keyRules({ ...NEW_KEY, name: '  ', scopes: '' })).toEqual({
    name: 'Please enter a name',
    scopes: 'Choose at least one permission',
  });
  expect(keyRules({ ...NEW_KEY, name: 'Weekly report' })).toEqual({});
});

test('the form has days and scopes as texts', () => {
  expect([expiryDays('30'), expiryDays('never')]).toEqual([30, null]);
  expect(scopesIn('profile:read credits:read other')).toEqual(['credits:read', 'profile:read']);
});
