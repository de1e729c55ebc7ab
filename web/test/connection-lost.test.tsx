import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeServer, unreachable } from './fake-server.ts';
import { PRICE } from './fixtures.ts';
import { fill, logInUser, openApp } from './render-app.tsx';

const UNLOADED = 'This page could not be loaded';
const NO_SETTINGS = 'The settings could not be loaded. Check your connection and open Settings again.';

/** The network as code loading meets it. A loaded module stays loaded, so each test uses a page of its own. */
const network = vi.hoisted(() => {
  // Another file of this worker may have loaded the pages.
  vi.resetModules();
  return {
    isUp: true,
    fetched: async (original: () => Promise<unknown>): Promise<unknown> => {
      if (network.isUp) return original();
      throw new TypeError('Failed to fetch dynamically imported module');
    },
  };
});

vi.mock('../src/features/layout/settings-panel.tsx', network.fetched);
vi.mock('../src/pages/credits.tsx', network.fetched);
vi.mock('../src/pages/subscription.tsx', network.fetched);
vi.mock('../src/pages/privacy.tsx', network.fetched);
vi.mock('../src/pages/unavailable.tsx', network.fetched);

beforeEach(() => {
  network.isUp = true;
});

const openHome = async () => {
  logInUser();
  const server = fakeServer();
  const app = openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  network.isUp = false;
  const goTo = (path: string): void => {
    act(() => {
      window.history.pushState(null, '', path);
      fireEvent.popState(window);
    });
  };
  return { ...app, server, goTo };
};

test('a failed load of the settings shows a message, keeps the form’s input, and succeeds at the next press', async () => {
  logInUser();
  fakeServer();
  const { user } = openApp('/profile');
  await fill(user, await screen.findByLabelText('City'), ' Sentrum');
  network.isUp = false;
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  expect(await screen.findByText(NO_SETTINGS)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByLabelText('City')).toHaveValue('Bergen Sentrum');
  network.isUp = true;
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  expect(await screen.findByRole('dialog', { name: 'Settings' })).toBeInTheDocument();
  expect(screen.getByLabelText('City')).toHaveValue('Bergen Sentrum');
});

test('Retry loads a page that was opened offline, without reloading the application', async () => {
  const { user, goTo, visited } = await openHome();
  goTo('/credits');
  expect(await screen.findByText(UNLOADED)).toBeInTheDocument();
  network.isUp = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Your Credits and Usage' })).toBeInTheDocument();
  expect(screen.queryByText(UNLOADED)).not.toBeInTheDocument();
  expect(visited).toEqual([]);
});

test('a page that was opened offline loads by itself when the browser is online again', async () => {
  const { goTo, visited } = await openHome();
  goTo('/subscription');
  expect(await screen.findByText(UNLOADED)).toBeInTheDocument();
  network.isUp = true;
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByText(UNLOADED)).not.toBeInTheDocument());
  expect(visited).toEqual([]);
});

test('a page whose load failed is loaded again at the next visit', async () => {
  const { goTo } = await openHome();
  goTo('/privacy');
  expect(await screen.findByText(UNLOADED)).toBeInTheDocument();
  goTo('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  network.isUp = true;
  goTo('/privacy');
  expect(await screen.findByRole('heading', { name: 'Your data' })).toBeInTheDocument();
});

test('Retry reloads the application only when the server is reachable and the page’s file is missing', async () => {
  const { user, goTo, visited, server } = await openHome();
  server.use({
    config: () => {
      throw unreachable();
    },
  });
  goTo('/nowhere');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(server.requestsTo('config').length).toBeGreaterThan(0));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Try again' })).not.toHaveAttribute('aria-busy'),
  );
  expect(visited).toEqual([]);
  server.use({
    config: () => ({ brand: 'Shortlist', passwordMin: 6, consent: null, price: PRICE, links: {} as never }),
  });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(visited).toEqual(['reload']));
});
