import { expect, it } from 'vitest';
import { overBudget } from '../suite/budgets.ts';
import { addUp, lossOf, renderCoverage } from '../suite/coverage.ts';

const file = (seconds: number, slowestTest: number) => ({
  path: 'bff/test/a.test.ts',
  seconds,
  tests: 2,
  slowestTest: { title: 'waits', seconds: slowestTest },
});

it('a file over 20 s and a test over 3 s are reported', () => {
  expect(overBudget([file(20, 3)], 1, 1)).toEqual([]);
  expect(overBudget([file(21, 2)], 1, 1)).toEqual([
    { line: 'SLOW bff/test/a.test.ts: 21.0 s, budget 20 s (tests/suite/budgets.ts)', fails: false },
  ]);
  expect(overBudget([file(19, 4)], 1, 1)).toEqual([
    { line: 'SLOW bff/test/a.test.ts waits: 4.0 s, budget 3 s (tests/suite/budgets.ts)', fails: false },
  ]);
});

it('a file or test that takes more than twice its budget fails the run', () => {
  expect(overBudget([file(40, 6)], 1, 1).map(({ fails }) => fails)).toEqual([false, false]);
  expect(overBudget([file(41, 7)], 1, 1).map(({ fails }) => fails)).toEqual([true, true]);
});

it('what else keeps the processors busy does not count against a budget', () => {
  expect(overBudget([file(38, 5)], 0.5, 1)).toEqual([]);
  expect(overBudget([file(44, 5)], 0.5, 1)).toHaveLength(1);
});

it('a test that has two thirds of a processor may take half as long again', () => {
  expect(overBudget([file(29, 4)], 1, 2 / 3)).toEqual([]);
  expect(overBudget([file(31, 4)], 1, 2 / 3)).toHaveLength(1);
});

const branches = (covered: number) => ({ branches: { total: 100, covered } });

it('the branches of a package are added up, and a loss of more than half a point is reported', () => {
  const coverage = addUp({
    'services/kit/src/a.ts': branches(90),
    'services/kit/src/data/b.ts': branches(81),
    'bff/src/a.ts': branches(99),
  });
  expect(renderCoverage(coverage, new Map([['bff', 99]]))).toContain(
    '| services/kit | 171 of 200 | 85.5 |  |',
  );
  expect(lossOf(coverage, new Map([['services/kit', 86]]))).toEqual([]);
  expect(lossOf(coverage, new Map([['services/kit', 86.1]]))).toEqual([
    'services/kit: 85.5 % of branches, 86.1 % recorded',
  ]);
});
