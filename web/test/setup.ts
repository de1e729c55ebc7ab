import '@testing-library/jest-dom/vitest';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { mutate } from 'swr';
import { afterEach, beforeEach, vi } from 'vitest';

/** The error of a query. It prints the document when its message is read, since a query that waits drops most of its errors. */
const elementError = (message: string | null, container: Element): Error => {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  const print = (): string => `${message ?? ''}\n\n${prettyDOM(container) || ''}`;
  return Object.defineProperty(error, 'message', { get: print, configurable: true });
};

// Loading a page's code on first use can take long on a busy machine.
configure({ asyncUtilTimeout: 20_000, getElementError: elementError });

// The chart needs the layout of SVG, which jsdom lacks. The totals and the table have the same figures.
vi.mock('react-apexcharts', () => ({ default: () => null }));

/** Empties SWR's cache, which outlives a test. A request that is under way or was just made is not shared with the next test. */
const clearQueries = (): void => void mutate(() => true, undefined);

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.cookie = 'XSRF-TOKEN=proof';
  // jsdom lacks these.
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { matches: false, media, onchange: null }),
  );
  vi.stubGlobal('scrollTo', () => undefined);
  const observe = { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined };
  vi.stubGlobal('ResizeObserver', function ResizeObserver() {
    return observe;
  });
  Element.prototype.scrollIntoView = () => undefined;
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
});

afterEach(() => {
  cleanup();
  clearQueries();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
