import { globSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The files whose exports are texts that a person reads. */
const CATALOGUES = [
  'web/src/messages/*.ts',
  'packages/contracts/src/{admin-permissions,audit-log,credit-history,errors,password.rules,plan,profile-fields}.ts',
  'packages/contracts/src/schemas/*.ts',
  'packages/contracts/src/api/{credits,factors}.ts',
  '{packages,services}/*/src/**/messages.ts',
];

/** Words that the product has another word for. */
const FORBIDDEN: readonly [RegExp, use: string][] = [
  [/\blog(s|ged|ging)?[ -]?ins?\b/i, 'sign in'],
  [/\blog(s|ged|ging)?[ -]?outs?\b/i, 'sign out'],
  [/\be-mails?\b|\bmails?\b|\bemail address/i, 'email'],
  [/\bpeople\b/i, 'users'],
  [/\bretry\b/i, 'try again'],
];

/** Texts of the specification, and references to a page by its title. */
const AGREED = [
  'Log In',
  'Logging in…',
  'Admin Log In',
  'Back to Log In',
  'Open Log In',
  'Go to Log In',
  'Logout',
  'You have successful registered, please login below',
  'Incorrect login credentials. Please check your username and password and try again.',
  'Please provide your login Email address',
  'Please provide your login Password',
];

/** Texts about people who are no users. */
const OTHER_PEOPLE = [
  'Search wide, write to people one by one, and mark the few you want to meet.',
  'Finds and invites people on LinkedIn while you work',
  'Finds people, sends invitations, and follows up',
];

/** All texts in an export of a catalogue's file; the path of an endpoint is not a text. */
const textsOf = (exported: unknown): string[] => {
  if (typeof exported === 'string') return exported.startsWith('/') ? [] : [exported];
  if (typeof exported === 'function') return 'entries' in exported ? textsOf(exported.entries) : [];
  if (typeof exported !== 'object' || exported === null) return [];
  return Object.values(Joi.isSchema(exported) ? exported.describe() : exported).flatMap(textsOf);
};

const readTexts = async (): Promise<string[]> => {
  const files = globSync(CATALOGUES, { cwd: ROOT, exclude: ['**/*.test.ts'] });
  const catalogues = await Promise.all(files.map((file) => import(join(ROOT, file))));
  return catalogues.flatMap((exports) => Object.values(exports as object).flatMap(textsOf));
};

it('the texts use one word for one thing', async () => {
  const texts = await readTexts();
  expect(texts.length).toBeGreaterThan(1_000);
  const exceptions = [...AGREED, ...OTHER_PEOPLE];
  expect(texts).toEqual(expect.arrayContaining(exceptions));
  const wrong = texts
    .filter((text) => !exceptions.includes(text))
    .flatMap((text) =>
      FORBIDDEN.filter(([word]) => word.test(text)).map(([, use]) => `'${text}' should say '${use}'`),
    );
  expect(wrong).toEqual([]);
});
