import { basename, relative, sep } from 'node:path';
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const FORBIDDEN_NAMES = [
  ...['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'types', 'index'],
  ...['service', 'manager', 'base'],
];
/** The one file whose word is taken in its plain sense: the chassis on which a service stands. */
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
        context.report({ node, message: `'${stem}' tells nothing: name the file after what it holds` });
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
    'no-class': forbid(
      [':matches(ClassDeclaration, ClassExpression):not([superClass.name=/^(Error|AppError)$/])'],
      'no classes but errors: write a function that returns what it offers',
    ),
    'no-default-export': forbid(['ExportDefaultDeclaration'], 'export it by name'),
    'no-export-all': forbid(['ExportAllDeclaration'], 'no barrels: say which names leave'),
    'no-env': forbid(
      [
        "MemberExpression[object.name='process'][property.name='env']",
        "VariableDeclarator[init.name='process'] Property[key.name='env']",
        "ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name='env']",
      ],
      'the environment is read in config.ts and in entry files only',
    ),
    'no-now': forbid(
      [
        "CallExpression[callee.object.name='Date'][callee.property.name='now']",
        "NewExpression[callee.name='Date'][arguments.length=0]",
      ],
      'time comes in as an argument (a clock); only an entry file asks the machine',
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
/** Files that a person or a supervisor starts. */
const ENTRIES = [
  '**/src/main.{ts,tsx}',
  'web/src/lib/clock.ts', // a browser has no place that hands a clock to every screen
  'services/identity/src/admin.ts',
  'services/billing/src/stripe-inbox.ts',
  'deploy/local/src/{start,reset,make-admin,write-env}.ts',
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
      // A query answers with whatever the driver gives; the line that reads it names its form.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Nothing here uses `this`: what looks like a method is a function in an object.
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
      'house/file-name': 'error',
      'house/no-class': 'error',
      'house/no-default-export': 'error',
      'house/no-export-all': 'error',
      'house/no-env': 'error',
      'house/no-now': 'error',
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}', 'web/test/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },
  // Playwright reads a fixture's parameters from its text, so one without needs stays an empty pattern.
  { files: ['tests/journeys/**'], rules: { 'no-empty-pattern': 'off' } },
  // Lists of data: no second concern hides behind the number of lines.
  { files: ['services/contracts/src/option-lists.ts'], rules: { 'max-lines': 'off' } },
  {
    files: TESTS,
    rules: {
      'max-lines': ['error', { max: 300, ...size }],
      'max-lines-per-function': ['error', { max: 300, ...size }],
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
