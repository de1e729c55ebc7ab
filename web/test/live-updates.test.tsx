import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { creditsView } from './people.ts';
import { logInUser, openApp } from './render-app.tsx';

/** Puts a stream of events in front of the server's other doors. */
const withEvents = () => {
  const answer = globalThis.fetch;
  let send = (_text: string): void => undefined;
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    if (input !== '/api/live') return answer(input, init);
    asked.push(new Headers(init.headers).get('authorization'));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  });
  return { asked, say: (text: string) => act(async () => Promise.resolve(send(text))) };
};

test('a figure moves without a reload when the server says that it is old', async () => {
  const token = logInUser();
  const server = fakeServer();
  const events = withEvents();
  openApp('/credits');
  expect(await screen.findByText('14')).toBeInTheDocument();
  expect(events.asked).toEqual([`Bearer ${token}`]);
  server.now({ credits: () => creditsView({ used: 7, available: 13 }) });
  await events.say(': hello\n\ndata: {"stale":["cre');
  await events.say('dits"]}\n\n');
  expect(await screen.findByText('13')).toBeInTheDocument();
});

test('what is not understood changes nothing', async () => {
  logInUser();
  const server = fakeServer();
  const events = withEvents();
  openApp('/credits');
  await screen.findByText('14');
  const before = server.to('credits').length;
  await events.say('data: not json\n\ndata: {"stale":7}\n\n');
  expect(server.to('credits')).toHaveLength(before);
});
