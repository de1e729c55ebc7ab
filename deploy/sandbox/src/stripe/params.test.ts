import { describe, expect, it } from 'vitest';
import { decodeForm } from './params.ts';

const plain = (text: string) => JSON.parse(JSON.stringify(decodeForm(text))) as unknown;

describe('form decoding', () => {
  it('converts nested names to objects and lists', () => {
    expect(plain('line_items[0][price]=p1&line_items[0][quantity]=2&line_items[1][price]=p2')).toEqual({
      line_items: [{ price: 'p1', quantity: '2' }, { price: 'p2' }],
    });
    expect(plain('expand[]=a&expand[]=b.c')).toEqual({ expand: ['a', 'b.c'] });
    expect(plain('created[gte]=1&email=a%2Bb%40c.de')).toEqual({ created: { gte: '1' }, email: 'a+b@c.de' });
  });

  it('does not write to prototypes', () => {
    decodeForm('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
