// Runs before the first paint, so that a dark or right-to-left page never flashes light or left-to-right. It reads the settings
// that src/lib/state/layout.ts stores; the application sets the same attributes again when it has loaded.
(function () {
  function storedSettings() {
    try {
      return JSON.parse(localStorage.getItem('layoutSettings')) || {};
    } catch {
      return {};
    }
  }

  function hasSession() {
    try {
      return localStorage.getItem('endUserToken') !== null || localStorage.getItem('token') !== null;
    } catch {
      return false;
    }
  }

  function isDark(scheme) {
    if (scheme === 'dark' || scheme === 'light') return scheme === 'dark';
    return matchMedia('(prefers-color-scheme: dark)').matches;
  }

  const settings = storedSettings();
  const root = document.documentElement;
  root.dataset.theme = isDark(settings.scheme) ? 'dark' : 'light';
  if (settings.direction === 'rtl') root.dir = 'rtl';
  if (/^[a-z]+$/.test(settings.accent) && settings.accent !== 'default')
    root.dataset.accent = settings.accent;
  // The page contains the prerendered login screen, which is visible at the login address only, and to a visitor without a session.
  if (location.pathname === '/login' && location.search === '' && !hasSession())
    root.dataset.prerendered = 'login';
})();
