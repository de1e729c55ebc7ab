import { cleanup, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { onTestFinished, vi } from 'vitest';
import { App, preloadFirstPage } from '../src/app/app.tsx';
import { startStore } from '../src/app/store.ts';
import type { Browser } from '../src/lib/browser.ts';

/** Moves the system clock on, as while a laptop sleeps: no timer fires. Ended by `vi.restoreAllMocks`. */
export const pass = (milliseconds: number): void => {
  const time = Date.now() + milliseconds;
  vi.spyOn(Date, 'now').mockImplementation(() => time);
};

const running: { stop: () => void }[] = [];
let tokens = 0;

const endApps = (): void => {
  for (const app of running.splice(0)) app.stop();
};

/** Closes the app as a browser closes a tab. An app that goes on could store the token of its session again. */
export const closeApp = (): void => {
  cleanup();
  endApps();
};

/** Stores a token that no other test has: a late response to another test is not taken for one to this test. */
export const logInUser = (): string => {
  const token = `user-${(tokens += 1)}`;
  localStorage.setItem('endUserToken', token);
  return token;
};

export const logInAdmin = (): string => {
  const token = `admin-${(tokens += 1)}`;
  localStorage.setItem('token', token);
  return token;
};

/** Renders the whole app at an address. `visited` lists the navigations away from it. */
export const openApp = (address: string) => {
  window.history.replaceState(null, '', address);
  const visited: string[] = [];
  const browser: Browser = {
    assign: (url) => void visited.push(url),
    replace: (url) => void visited.push(url),
    reload: () => void visited.push('reload'),
  };
  const { store, startSaga, stop } = startStore();
  running.push({ stop });
  onTestFinished(endApps);
  preloadFirstPage(store);
  render(<App store={store} startSaga={startSaga} browser={browser} />);
  return { store, visited, user: userEvent.setup({ delay: null }) };
};

/** Enters text at once, as a paste does. Typing renders the page for each key, so it is for tests of typing. */
export const fill = async (user: UserEvent, field: HTMLElement, text: string): Promise<void> => {
  await user.click(field);
  await user.paste(text);
};

export const address = (): string => window.location.pathname + window.location.search;
