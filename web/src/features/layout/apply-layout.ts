import { CHOICES, type LayoutSettings } from '../../lib/state/layout.ts';

const setAttribute = (name: string, value: string | null): void => {
  if (value === null) document.documentElement.removeAttribute(name);
  else document.documentElement.setAttribute(name, value);
};

const isDark = ({ scheme }: LayoutSettings): boolean =>
  scheme === 'dark' || (scheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);

const THEME_CLASS = 'theme-color-';

const applyThemeClass = (accent: string): void => {
  document.body.classList.remove(...CHOICES.accent.map(([value]) => THEME_CLASS + value));
  document.body.classList.add(THEME_CLASS + accent);
};

/** Sets the attributes that the styles depend on. public/theme.js sets the first three before the first paint. */
export const applyLayout = (settings: LayoutSettings): void => {
  setAttribute('data-theme', isDark(settings) ? 'dark' : 'light');
  setAttribute('data-accent', settings.accent === 'default' ? null : settings.accent);
  setAttribute('dir', settings.direction);
  setAttribute('data-sidebar-color', settings.sidebarColor);
  setAttribute('data-sidebar-active', settings.sidebarActive);
  setAttribute('data-navbar', settings.navbar);
  for (const type of ['mini', 'hover', 'boxed'] as const)
    setAttribute(`data-sidebar-${type}`, settings.sidebarTypes.includes(type) ? '' : null);
  applyThemeClass(settings.accent);
};
