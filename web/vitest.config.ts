import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { endpointsWithoutSchemas } from './endpoints-without-schemas.ts';

export default defineConfig({
  plugins: [react(), endpointsWithoutSchemas()],
  test: {
    name: 'web',
    // Files that run in one worker share the document and the loaded modules. `test/setup.ts` clears what a test leaves behind.
    isolate: false,
    // As in the configuration of the whole, which runs this project beside the others.
    maxWorkers: availableParallelism() + 1,
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:5000/' } },
    include: ['test/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    env: { TZ: 'UTC' },
    css: false,
    restoreMocks: true,
    testTimeout: 120_000,
  },
});
