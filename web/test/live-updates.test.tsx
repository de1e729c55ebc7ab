import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { creditsView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

/** Adds the stream of live updates to the fake server. */
const withEvents = () => {
  const otherFetch = globalThis.fetch;
  let send = (_text: string): void => undefined;
  const tokens: (string | null)[] = [];
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    if (input !== '/api/live') return otherFetch(input, init);
    tokens.push(new Headers(init.headers).get('authorization'));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  });
  return { tokens, send: (text: string) => act(async () => Promise.resolve(send(text))) };
};

test('a stale area is loaded again without a reload', async () => {
  const token = logInUser();
  const server = fakeServer();
  const events = withEvents();
  openApp('/credits');
  expect(await screen.findByText('14')).toBeInTheDocument();
  expect(events.tokens).toEqual([`Bearer ${token}`]);
  server.use({ credits: () => creditsView({ used: 7, available: 13 }) });
  await events.send(': hello\n\ndata: {"stale":["cre');
  await events.send('dits"]}\n\n');
  expect(await screen.findByText('13')).toBeInTheDocument();
});

test('an invalid event changes nothing', async () => {
  logInUser();
  const server = fakeServer();
  const events = withEvents();
  openApp('/credits');
  await screen.findByText('14');
  const before = server.requestsTo('credits').length;
  await events.send('data: not json\n\ndata: {"stale":7}\n\n');
  expect(server.requestsTo('credits')).toHaveLength(before);
});
