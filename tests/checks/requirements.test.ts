import { describe, expect, it } from 'vitest';
import { idsIn, problemsOf } from '../../tools/docs/requirements.ts';

const PAGE = '# Requirements\n\n- **A1** Passwords are hashed.\n';

describe('the requirement ids of a test file', () => {
  it.each([
    ['the title of a test', "it('A1 hashes passwords', () => undefined);"],
    ['the title of a story', "describe('A1 passwords', () => undefined);"],
    ['a template title', 'test(`A1 hashes ${kind} passwords`, () => undefined);'],
    ['the title of a table of tests', "it.each([1])('A1 hashes %s', () => undefined);"],
    ['the end of a title', "it('hashes passwords (A1)', () => undefined);"],
    ['the beginning of a table cell', "it.each([['A1 a short password']])('%s', () => undefined);"],
  ])('include an id in %s', (_place, source) => {
    expect([...idsIn('a.test.ts', source)]).toEqual(['A1']);
  });

  it('include every id of a title', () => {
    expect([...idsIn('a.test.ts', "it('B3 X23 ends sessions', () => undefined);")]).toEqual(['B3', 'X23']);
  });

  it('do not include ids in comments or inside other strings', () => {
    const source = "// A1 is tested elsewhere\nexport const text = 'see A1';";
    expect(idsIn('a.test.ts', source).size).toBe(0);
  });
});

describe('the requirements page', () => {
  it('is complete when each id has a test and each test names a known id', () => {
    expect(problemsOf(PAGE, new Map([['A1', ['a.test.ts']]]))).toEqual([]);
  });

  it('reports an id without a test', () => {
    expect(problemsOf(PAGE, new Map())).toEqual(['A1: no test names it']);
  });

  it('reports a test with an unknown id', () => {
    const tests = new Map([
      ['A1', ['a.test.ts']],
      ['A2', ['b.test.ts']],
    ]);
    expect(problemsOf(PAGE, tests)).toEqual(['A2: named by b.test.ts and not in docs/requirements.md']);
  });
});
