// Starts the application. On the prerendered login page it waits for the first paint with the page's font, because parsing
// the script would delay that paint.
(function () {
  const RELOADS = 'reloads';
  const RELOADS_MAX = 40;
  const PAUSE_MS = 3_000;
  // During an update, the page and its files may come from processes of two releases. Loading it again helps once the update is over.
  const loadAgain = () => {
    try {
      const reloads = Number(sessionStorage.getItem(RELOADS)) + 1;
      sessionStorage.setItem(RELOADS, String(reloads));
      if (reloads <= RELOADS_MAX) setTimeout(() => location.reload(), PAUSE_MS);
    } catch {
      // A browser that stores nothing could not count, and would go on for ever.
    }
  };
  const forget = () => {
    try {
      sessionStorage.removeItem(RELOADS);
    } catch {
      // Nothing was stored.
    }
  };
  const link = document.querySelector('link[data-start]');
  if (link === null) return; // the development server's page starts by itself
  const start = () => void import(link.href).then(forget, loadAgain);
  if (!document.documentElement.dataset.prerendered) return start();
  const painted = new Promise((resolve) =>
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true }),
  );
  const timeout = new Promise((resolve) => setTimeout(resolve, 500)); // a page in a background tab is never painted
  return Promise.race([painted.then(() => document.fonts.ready), timeout]).then(start);
})();
