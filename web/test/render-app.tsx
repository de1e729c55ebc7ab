import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../src/app/app.tsx';
import { startStore } from '../src/app/store.ts';
import type { Browser } from '../src/lib/browser.ts';

const running: { cancel: () => void }[] = [];
let tokens = 0;

export const endApps = (): void => {
  for (const task of running.splice(0)) task.cancel();
};

/** A token no other test has: what the server said to one test must not be read by the next. */
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

/** The whole app at an address, in the test's browser. `left` lists where it went away to. */
export const openApp = (address: string) => {
  window.history.replaceState(null, '', address);
  const left: string[] = [];
  const browser: Browser = {
    leave: (url) => void left.push(url),
    forward: (url) => void left.push(url),
    reload: () => void left.push('reload'),
  };
  const { store, task } = startStore();
  running.push(task);
  render(<App store={store} browser={browser} />);
  return { store, left, user: userEvent.setup() };
};

export const address = (): string => window.location.pathname + window.location.search;
