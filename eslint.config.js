import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { house } from './tools/check/house-rules.js';

const CODE = ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.cjs'];
const TESTS = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/test/**',
  'harness/**',
  'tests/**',
  'tools/**',
  '{packages,services}/*/src/testing/**',
];
/** Files that a user or a supervisor starts. */
const ENTRIES = ['vitest.config.ts', '**/src/main.{ts,tsx}', '**/src/operator.ts', 'deploy/local/src/*.ts'];

const size = { skipBlankLines: true, skipComments: true };

export default defineConfig(
  globalIgnores([
    '**/node_modules/',
    '**/dist/',
    '.local/',
    '**/test-results/',
    '**/playwright-report/',
    'clients/typescript/src/api-schema.ts',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    // The rules that need types are oxlint's (.oxlintrc.json).
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: CODE,
    plugins: { house },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 500, ...size }],
      'max-lines-per-function': ['error', { max: 80, ...size }],
      complexity: ['error', 15],
      'max-depth': ['error', 4],
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Literal[raw=/^(86_?400|86_?400_?000|3_?600_?000)$/]',
          message: 'Write the length of a day or an hour with contracts/src/durations.ts.',
        },
      ],
      'no-console': 'error',
      'house/file-name': 'error',
      'house/no-default-export': 'error',
      'house/no-export-all': 'error',
      'house/no-env': 'error',
      'house/no-now': 'error',
    },
  },
  {
    files: ['{packages,services}/*/src/**/*.ts'],
    ignores: ['packages/kit/src/{data,messaging,testing}/**', 'packages/kit/src/service.ts'],
    rules: { 'house/no-raw-query': 'error' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}', 'web/test/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['web/src/messages/**', '**/*.test.ts'],
    rules: { 'house/catalogue-texts': 'error' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['web/src/lib/dates.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', 'DateTimeFormat'].map(
          (property) => ({
            property,
            message: 'Write a date with web/src/lib/dates.ts, a number with a message.',
          }),
        ),
      ],
    },
  },
  // Playwright parses a fixture's parameters from its source, so a fixture without any needs an empty pattern.
  { files: ['harness/**', 'tests/journeys/**'], rules: { 'no-empty-pattern': 'off' } },
  {
    files: TESTS,
    rules: {
      'max-lines': 'off',
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
    files: ['tests/journeys/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        document: 'readonly',
        getComputedStyle: 'readonly',
        matchMedia: 'readonly',
        NodeFilter: 'readonly',
        requestAnimationFrame: 'readonly',
        scrollY: 'readonly',
        setTimeout: 'readonly',
        window: 'readonly',
      },
    },
  },
  {
    files: ['web/public/**', 'web/reference/**'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        addEventListener: 'readonly',
        document: 'readonly',
        localStorage: 'readonly',
        sessionStorage: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        PerformanceObserver: 'readonly',
        Redoc: 'readonly',
        setTimeout: 'readonly',
        window: 'readonly',
      },
    },
  },
);
