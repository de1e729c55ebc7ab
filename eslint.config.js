import { basename, relative, sep } from 'node:path';
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { DENIED_IDENTIFIERS, DENIED_SEGMENTS } from './tools/check/vocabulary.ts';

const FORBIDDEN_NAMES = [
  ...['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'types', 'index'],
  ...['service', 'manager', 'base'],
];
/** The one file that describes services as such. */
const NAMED_SERVICE = 'services/kit/src/service.ts';
const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.(rules|entity|test|spec|config|d))*(\.(ts|tsx|js|cjs))?$/;

const fileName = {
  meta: { schema: [] },
  create: (context) => ({
    Program: (node) => {
      const path = relative(context.cwd, context.filename).split(sep);
      const odd = path.filter((part) => !part.startsWith('..')).find((part) => !KEBAB.test(part));
      if (odd !== undefined) context.report({ node, message: `'${odd}' is not in kebab-case` });
      const stem = basename(context.filename).split('.')[0];
      if (FORBIDDEN_NAMES.includes(stem) && path.join('/') !== NAMED_SERVICE)
        context.report({ node, message: `'${stem}' is too general: name the file after its content` });
    },
  }),
};

const segmentsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

/** Refuses identifiers that contain a word which docs/glossary.md replaces: factOf, HEARER_ID, addDoor. */
const identifierWords = {
  meta: { schema: [] },
  create: (context) => ({
    Identifier: (node) => {
      const word = segmentsOf(node.name).find((segment) => DENIED_SEGMENTS.includes(segment));
      if (word !== undefined)
        context.report({
          node,
          message: `'${word}' in '${node.name}' is not a word of this code base: docs/glossary.md`,
        });
    },
  }),
};

/** A rule with a name of its own, so that it can be switched and suppressed by that name. */
const forbid = (selectors, message) => ({
  meta: { schema: [] },
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

const house = {
  rules: {
    'file-name': fileName,
    'identifier-words': identifierWords,
    'no-class': forbid(
      [':matches(ClassDeclaration, ClassExpression):not([superClass.name=/^(Error|AppError)$/])'],
      'no classes except errors: write a function that returns an object',
    ),
    'no-default-export': forbid(['ExportDefaultDeclaration'], 'export it by name'),
    'no-export-all': forbid(['ExportAllDeclaration'], 'no barrel files: export names explicitly'),
    'no-env': forbid(
      [
        "MemberExpression[object.name='process'][property.name='env']",
        "VariableDeclarator[init.name='process'] Property[key.name='env']",
        "ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name='env']",
      ],
      'the environment is read in config.ts and in entry files only',
    ),
    'no-raw-query': forbid(
      ["CallExpression[callee.property.name='query'][callee.object.type=/^(Identifier|MemberExpression)$/]"],
      'statements go through TypeORM’s builders, or through kit/src/data/sql.ts, which states the row type',
    ),
    'no-now': forbid(
      [
        "CallExpression[callee.object.name='Date'][callee.property.name='now']",
        "NewExpression[callee.name='Date'][arguments.length=0]",
      ],
      'time is an argument (a clock); only entry files read the machine’s clock',
    ),
  },
};

const CODE = ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.cjs'];
const TESTS = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/test/**',
  'tests/**',
  'tools/**',
  'services/kit/src/testing/**',
];
/** Files that a user or a supervisor starts. */
const ENTRIES = [
  '**/src/main.{ts,tsx}',
  'web/src/lib/clock.ts', // a browser has no entry point that could pass a clock to every screen
  'services/identity/src/admin.ts',
  'services/billing/src/stripe-check.ts',
  'services/billing/src/stripe-inbox.ts',
  'deploy/local/src/*.ts',
  'services/contracts/scripts/*.ts',
];

const size = { skipBlankLines: true, skipComments: true };

export default defineConfig(
  globalIgnores([
    '**/node_modules/',
    '**/dist/',
    '.local/',
    'coverage/',
    '**/test-results/',
    '**/playwright-report/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // No code uses `this`: a method-like member is a function in an object.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: CODE,
    plugins: { house },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 200, ...size }],
      'max-lines-per-function': ['error', { max: 50, ...size }],
      complexity: ['error', 8],
      'max-depth': ['error', 3],
      'max-params': ['error', 3],
      eqeqeq: 'error',
      'no-console': 'error',
      'id-denylist': ['error', ...DENIED_IDENTIFIERS],
      'house/file-name': 'error',
      'house/identifier-words': 'error',
      'house/no-class': 'error',
      'house/no-default-export': 'error',
      'house/no-export-all': 'error',
      'house/no-env': 'error',
      'house/no-now': 'error',
    },
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: ['services/kit/src/{data,messaging,testing}/**', 'services/kit/src/service.ts'],
    rules: { 'house/no-raw-query': 'error' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}', 'web/test/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },
  // Playwright parses a fixture's parameters from its source, so a fixture without any needs an empty pattern.
  { files: ['tests/journeys/**'], rules: { 'no-empty-pattern': 'off' } },
  // A list of data: its length hides no second concern.
  { files: ['services/contracts/src/option-lists.ts'], rules: { 'max-lines': 'off' } },
  {
    files: TESTS,
    rules: {
      'max-lines': ['error', { max: 300, ...size }],
      'max-lines-per-function': ['error', { max: 300, ...size }],
      // Tests read JSON whose fields they assert on.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      'house/no-env': 'off',
      'house/no-now': 'off',
    },
  },
  { files: [...ENTRIES, '**/config.ts'], rules: { 'house/no-env': 'off' } },
  { files: [...ENTRIES, 'deploy/local/**'], rules: { 'house/no-now': 'off' } },
  {
    files: ['**/*.config.{ts,js}', '**/*.cjs', 'web/src/pages/**', 'tests/setup/**'],
    rules: { 'house/no-default-export': 'off' },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'readonly' } } },
  {
    files: ['web/public/**'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        document: 'readonly',
        localStorage: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        PerformanceObserver: 'readonly',
        setTimeout: 'readonly',
        window: 'readonly',
      },
    },
  },
);
