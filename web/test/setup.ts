import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { mutate } from 'swr';
import { afterEach, beforeEach, vi } from 'vitest';

// Loading a page's code on first use can take long on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

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
