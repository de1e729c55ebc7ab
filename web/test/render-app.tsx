import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../src/app/app.tsx';
import { startStore } from '../src/app/store.ts';
import type { Browser } from '../src/lib/browser.ts';

const running: { stop: () => void }[] = [];
let tokens = 0;

export const endApps = (): void => {
  for (const app of running.splice(0)) app.stop();
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
  const visited: string[] = [];
  const browser: Browser = {
    assign: (url) => void visited.push(url),
    replace: (url) => void visited.push(url),
    reload: () => void visited.push('reload'),
  };
  const { store, startSaga, stop } = startStore();
  running.push({ stop });
  render(<App store={store} startSaga={startSaga} browser={browser} />);
  return { store, visited, user: userEvent.setup() };
};

export const address = (): string => window.location.pathname + window.location.search;
