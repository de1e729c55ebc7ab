import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { openApp } from './render-app.tsx';

test('K5 each call of a page begins a trace of its own', async () => {
  const server = fakeServer();
  const { user } = openApp('/login');
  await user.type(await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await user.type(screen.getByLabelText('Password'), 'long enough');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await user.click(await screen.findByRole('button', { name: 'Log In' }));
    await screen.findByRole('alert');
  }
  const traces = server.requestsTo('login').map(({ headers }) => headers.get('traceparent'));
  expect(traces.length).toBeGreaterThan(0);
  for (const trace of traces) expect(trace).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  const configTraces = server.requestsTo('config').map(({ headers }) => headers.get('traceparent'));
  expect(new Set([...traces, ...configTraces]).size).toBe(traces.length + configTraces.length);
});
