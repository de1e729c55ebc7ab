import { messages, type ValueName } from '@shortlist/contracts/messages';
import { describe, expect, expectTypeOf, it } from 'vitest';

const sample = messages({
  plain: "It's all there",
  left: '{credits, plural, one {# credit} other {# credits}} left until {day}',
  total: '{total, number} users',
  nested: '{isFull, select, true {all {limit} used} other {{used} used}}',
  link: 'Read the <terms>Terms for {brand}</terms> first',
});

describe('messages', () => {
  it('returns a text without values unchanged', () => {
    expect(sample('plain')).toBe("It's all there");
  });

  it('chooses the plural form and formats numbers', () => {
    expect(sample('left', { credits: 1, day: 'Monday' })).toBe('1 credit left until Monday');
    expect(sample('left', { credits: 1234, day: 'Monday' })).toBe('1,234 credits left until Monday');
    expect(sample('total', { total: 1_000_000 })).toBe('1,000,000 users');
  });

  it('does not read markup in a value', () => {
    expect(sample('left', { credits: 2, day: '<b>{x}</b>' })).toBe('2 credits left until <b>{x}</b>');
  });

  it('turns tags into the caller’s nodes', () => {
    const terms = (content: (string | object)[]): object => ({ content });
    expect(sample.rich<object>('link', { terms, brand: 'Shortlist' })).toEqual([
      'Read the ',
      { content: ['Terms for Shortlist'] },
      ' first',
    ]);
  });

  it('types the names of the values', () => {
    expectTypeOf<ValueName<typeof sample.entries.left>>().toEqualTypeOf<'credits' | 'day'>();
    expectTypeOf<ValueName<typeof sample.entries.nested>>().toEqualTypeOf<'isFull' | 'limit' | 'used'>();
    expectTypeOf<ValueName<typeof sample.entries.plain>>().toEqualTypeOf<never>();
    // @ts-expect-error a value is missing
    expect(() => sample('left', { credits: 1 })).toThrow();
  });
});
