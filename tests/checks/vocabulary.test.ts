import { describe, expect, it } from 'vitest';
import { findDenied } from '../../tools/check/vocabulary-check.ts';

describe('the vocabulary check', () => {
  it.each([
    ['a line comment', 'a.ts', '// The door is open.\nexport const a = 1;', "a.ts:1: 'door' → endpoint"],
    ['a doc comment', 'a.ts', '\n/** Publishes a fact. */\nexport const a = 1;', "a.ts:2: 'fact' → event"],
    [
      'a trailing comment',
      'a.ts',
      'export const a = 1; // the upkeep of a table',
      "a.ts:1: 'upkeep' → maintenance",
    ],
    ['a message', 'a.ts', "export const a = 'message parked';", "a.ts:1: 'parked' → dead-lettered"],
    [
      'a template',
      'a.ts',
      'export const a = (n: number) => `${n} facts published`;',
      "a.ts:1: 'facts' → event",
    ],
    [
      'a test title',
      'a.test.ts',
      "it('is open to strangers', () => undefined);",
      "a.test.ts:1: 'strangers' → unauthenticated client, external client",
    ],
    [
      'a text in JSX',
      'a.tsx',
      'export const A = () => <p>nobody is logged in</p>;',
      "a.tsx:1: 'nobody' → the user, the caller, the client",
    ],
    ['a Markdown line', 'a.md', '# Title\n\nA deed changes state.', "a.md:3: 'deed' → action"],
    ['a YAML comment', 'a.yaml', 'a: 1 # read anew', "a.yaml:1: 'anew' → again"],
  ])('reports a denied word in %s', (...[, file, source, message]) => {
    expect(findDenied(file, source)).toEqual([message]);
  });

  it('reports each denied word of a text', () => {
    expect(findDenied('a.md', 'Nobody tells a stranger.')).toHaveLength(3);
  });

  it.each([
    ['plain text', 'a.ts', '// The endpoint publishes an event.\nexport const a = "event published";'],
    ['a longer word that contains a denied one', 'a.md', 'An artefact, an outdoor task, a header.'],
    ['a string of one word, which is no sentence', 'a.ts', "export const a = ['fact', 'door'];"],
    ['identifiers, which ESLint checks', 'a.ts', 'export const door = (fact: string) => fact;'],
  ])('accepts %s', (_text, file, source) => {
    expect(findDenied(file, source)).toEqual([]);
  });
});
