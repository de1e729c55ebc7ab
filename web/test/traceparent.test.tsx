import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { fill, openApp } from './render-app.tsx';

const VALID = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/;

test('K5 each call of a page begins a trace of its own', async () => {
  const server = fakeServer();
  const { user } = openApp('/login');
  await fill(user, await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await fill(user, screen.getByLabelText('Password'), 'long enough');
  await user.click(await screen.findByRole('button', { name: 'Log In' }));
  await screen.findByRole('alert');
  const calls = [...server.requestsTo('config'), ...server.requestsTo('login')];
  const traces = calls.map(({ headers }) => headers.get('traceparent') ?? 'none');
  expect(traces.length).toBeGreaterThan(1);
  expect(traces.filter((trace) => !VALID.test(trace))).toEqual([]);
  expect(new Set(traces).size).toBe(traces.length);
});
