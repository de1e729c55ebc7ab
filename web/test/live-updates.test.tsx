import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { paths } from '../src/lib/paths.ts';
import { creditsView, directoryRow, userView } from './fixtures.ts';
import { logInAdmin, logInUser, openApp } from './render-app.tsx';

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

test('a hundred notices are two readings: one at once, and one for all that follow, not sooner than a second later', async () => {
  logInUser();
  const server = fakeServer();
  const events = withEvents();
  openApp('/credits');
  await screen.findByText('14');
  const before = server.requestsTo('credits').length;
  const beganAt = performance.now();
  let used = 7;
  server.use({ credits: () => creditsView({ used, available: 20 - used }) });
  for (let index = 0; index < 100; index += 1) await events.send('data: {"stale":["credits"]}\n\n');
  used = 9;
  expect(await screen.findByText('11', undefined, { timeout: 5_000 })).toBeInTheDocument();
  expect(performance.now() - beganAt).toBeGreaterThan(1_000);
  expect(server.requestsTo('credits')).toHaveLength(before + 2);
});

test('a page that nobody sees reads once it is seen again', async () => {
  logInUser();
  const server = fakeServer();
  const events = withEvents();
  openApp('/credits');
  await screen.findByText('14');
  const before = server.requestsTo('creditsHistory').length;
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  server.use({ credits: () => creditsView({ used: 7, available: 13 }) });
  for (let index = 0; index < 10; index += 1) await events.send('data: {"stale":["credits"]}\n\n');
  expect(server.requestsTo('creditsHistory')).toHaveLength(before);
  hidden.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText('13')).toBeInTheDocument();
  expect(server.requestsTo('creditsHistory')).toHaveLength(before + 1);
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

test("an admin's screen loads again what it shows of the users that changed, and nothing else", async () => {
  logInAdmin();
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    listUsers: () => ({
      data: [directoryRow(1, { email: userView().email })],
      total: 1,
      isCapped: false,
      next: null,
    }),
  });
  const events = withEvents();
  const { id, email } = userView();
  openApp(paths.viewUser(id));
  await screen.findAllByText(email);
  const reads = () => [server.requestsTo('getUser').length, server.requestsTo('userDeletion').length];
  const before = reads();
  await events.send('data: {"changed":{"credits":["another"],"profile":["another"]}}\n\n');
  expect(reads()).toEqual(before);
  await events.send(`data: {"changed":{"credits":["${id}"]}}\n\n`);
  await waitFor(() => expect(server.requestsTo('getUser').length).toBe((before[0] ?? 0) + 1));
  await events.send('data: {"changed":{"subscription":null}}\n\n');
  await waitFor(() => expect(server.requestsTo('getUser').length).toBe((before[0] ?? 0) + 2));
});

test('the list of users is loaded again for changes of what it shows, and not for credits', async () => {
  logInAdmin();
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    listUsers: () => ({
      data: [directoryRow(1, { email: userView().email })],
      total: 1,
      isCapped: false,
      next: null,
    }),
  });
  const events = withEvents();
  openApp(paths.userList);
  await screen.findAllByText(userView().email);
  const before = server.requestsTo('listUsers').length;
  await events.send('data: {"changed":{"credits":null}}\n\n');
  expect(server.requestsTo('listUsers')).toHaveLength(before);
  await events.send('data: {"changed":{"profile":["another"]}}\n\n');
  await waitFor(() => expect(server.requestsTo('listUsers')).toHaveLength(before + 1));
});
