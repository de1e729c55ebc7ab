// Starts the application. Where the page brings its screen along, that is painted first, in its own font: reading the script
// would hold it up.
(function () {
  const link = document.querySelector('link[data-start]');
  if (link === null) return; // a page of the development server, which starts by itself
  const start = () => void import(link.href);
  if (!document.documentElement.dataset.opens) return start();
  const painted = new Promise((resolve) =>
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true }),
  );
  const late = new Promise((resolve) => setTimeout(resolve, 500)); // a page in the background paints nothing
  return Promise.race([painted.then(() => document.fonts.ready), late]).then(start);
})();
