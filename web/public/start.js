// Starts the application. On the prerendered login page it waits for the first paint with the page's font, because parsing
// the script would delay that paint.
(function () {
  const link = document.querySelector('link[data-start]');
  if (link === null) return; // the development server's page starts by itself
  const start = () => void import(link.href);
  if (!document.documentElement.dataset.prerendered) return start();
  const painted = new Promise((resolve) =>
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true }),
  );
  const timeout = new Promise((resolve) => setTimeout(resolve, 500)); // a page in a background tab is never painted
  return Promise.race([painted.then(() => document.fonts.ready), timeout]).then(start);
})();
