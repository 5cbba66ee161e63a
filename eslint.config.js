import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', 'coverage/', '.cache/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [eslint.configs.recommended, tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './packages/inspector/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Messages contain counts and indexes. An object in a message is a mistake.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `import type` with verbatimModuleSyntax says what is erased; an unused name that starts with _ says that it must be there.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // `return report(…)` may report and end the function in one line.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      // Regular expressions of this tree look for the characters that must not be in a header.
      'no-control-regex': 'off',
    },
  },
  {
    // Everything is reported through `onIssue`. Without one, `setupWarnings` prints the program's own mistakes.
    files: ['packages/*/src/**/*.{ts,tsx}'],
    rules: { 'no-console': 'error' },
  },
  {
    // Tests use malformed input on purpose: messages of a peer have no type, and a test that expects `undefined` may write `!`.
    files: ['**/*.test.ts', 'test/**/*.ts'],
    // Journeys call two generations of the SDK through one variable, which has no exact type.
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-sparse-arrays': 'off',
    },
  },
  {
    // Snippets show a value by naming it, and take methods out of objects as readers do.
    files: ['docs/snippets/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  {
    // Plain scripts: no types to check with, but the names of Node.
    files: ['**/*.{js,mjs}'],
    extends: [eslint.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...['process', 'console', 'URL', 'URLSearchParams', 'performance', 'fetch', 'Headers', 'Request', 'Response', 'AbortController'],
          ...['AbortSignal', 'TextEncoder', 'TextDecoder', 'Buffer', 'structuredClone', 'crypto', 'setTimeout', 'clearTimeout'],
          ...['setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask', 'ReadableStream', 'TransformStream', 'WritableStream'],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
);
