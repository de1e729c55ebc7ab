// Runs before the first paint, so that a dark or mirrored page never flashes light or unmirrored.
// It reads what src/lib/layout-settings.ts remembers; the module sets the same attributes again when it has loaded.
(function () {
  var settings = {};
  try {
    settings = JSON.parse(localStorage.getItem('layoutSettings') || '{}') || {};
  } catch {
    settings = {};
  }
  var root = document.documentElement;
  var dark =
    settings.scheme === 'dark' ||
    (settings.scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  if (settings.direction === 'rtl') root.dir = 'rtl';
  if (typeof settings.accent === 'string' && settings.accent !== 'default')
    root.dataset.accent = settings.accent;
})();
