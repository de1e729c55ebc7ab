// Runs before the first paint, so that a dark or mirrored page never flashes light or unmirrored.
// It reads what src/lib/state/layout.ts remembers; the module sets the same attributes again when it has loaded.
(function () {
  function remembered() {
    try {
      return JSON.parse(localStorage.getItem('layoutSettings')) || {};
    } catch {
      return {};
    }
  }

  function isDark(scheme) {
    if (scheme === 'dark' || scheme === 'light') return scheme === 'dark';
    return matchMedia('(prefers-color-scheme: dark)').matches;
  }

  const settings = remembered();
  const root = document.documentElement;
  root.dataset.theme = isDark(settings.scheme) ? 'dark' : 'light';
  if (settings.direction === 'rtl') root.dir = 'rtl';
  if (/^[a-z]+$/.test(settings.accent) && settings.accent !== 'default')
    root.dataset.accent = settings.accent;
  // The page brings the empty login screen along; at any other address it is not shown.
  if (location.pathname === '/login' && location.search === '') root.dataset.opens = 'login';
})();
