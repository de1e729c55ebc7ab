import { expect, it } from 'vitest';
import { percent, signedMoney } from './money.ts';

it('a share has its decimals, and does not read as nothing or as all where it is neither', () => {
  expect([0, 0.004, 0.005, 0.5, 0.995, 0.996, 1].map((share) => percent(share))).toEqual([
    '0%',
    '<1%',
    '1%',
    '50%',
    '>99%',
    '>99%',
    '100%',
  ]);
  expect([0.0004, 0.053, 0.9999].map((share) => percent(share, 1))).toEqual(['<0.1%', '5.3%', '>99.9%']);
});

it('an amount below zero has its sign', () => {
  expect([-5_900, -1, 0, 5_900].map((amount) => signedMoney(amount, 'usd'))).toEqual([
    '−$59.00',
    '−$0.01',
    '$0.00',
    '$59.00',
  ]);
});
