import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { endApps } from './render-app.tsx';

// Loading a page's code on first use can take long on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

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
  endApps();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
