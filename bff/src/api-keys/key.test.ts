import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { createKey, hashOfKey, looksLikeKey, tagOfKey } from './key.ts';

const user = uuidv7();

describe('an API key', () => {
  it('begins with its environment, contains the tag of its user, and differs each time', () => {
    const keys = Array.from({ length: 100 }, () => createKey('live', user));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(100);
    for (const { key, hash, hint } of keys) {
      expect(key).toMatch(/^sl_live_[\w-]{54}$/);
      expect(tagOfKey('live', key)).toBe(tagOfUser(user));
      expect(hash).toBe(hashOfKey(key));
      expect(hint).toBe(`sl_live_…${key.slice(-4)}`);
      expect(looksLikeKey(`see ${key}.`)).toBe(true);
    }
  });

  it('of the other environment is none', () => {
    expect(tagOfKey('live', createKey('test', user).key)).toBeNull();
    expect(tagOfKey('test', createKey('live', user).key)).toBeNull();
  });

  it('with one other character is none: its checksum differs', () => {
    const { key } = createKey('live', user);
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: key.length - 1 }),
        fc.constantFrom(...'aZ09'),
        (at, character) => {
          const changed = key.slice(0, at) + character + key.slice(at + 1);
          expect(tagOfKey('live', changed)).toBe(changed === key ? tagOfUser(user) : null);
        },
      ),
    );
  });

  it.each([
    '',
    'sl_live_',
    'sl_live_x',
    `${createKey('live', user).key}x`,
    ` ${createKey('live', user).key}`,
  ])('is not %j', (text) => {
    expect(tagOfKey('live', text)).toBeNull();
  });
});
