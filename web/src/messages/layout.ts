import { messages } from '@shortlist/contracts/messages';

/** The settings panel. */
export const layoutText = messages({
  title: 'Settings',
  close: 'Close',
  defaults: 'Restore defaults',

  scheme: 'Scheme',
  auto: 'Auto',
  dark: 'Dark',
  light: 'Light',

  accent: 'Color Customizer',
  default: 'Default',
  ink: 'Ink',
  iris: 'Iris',
  plum: 'Plum',
  clay: 'Clay',
  slate: 'Slate',

  direction: 'Scheme Direction',
  ltr: 'LTR',
  rtl: 'RTL',

  sidebarColor: 'Sidebar Color',
  color: 'Color',
  transparent: 'Transparent',

  sidebarTypes: 'Sidebar Types',
  mini: 'Mini',
  hover: 'Hover',
  boxed: 'Boxed',

  sidebarActive: 'Sidebar Active Style',
  roundedOneSide: 'Rounded One Side',
  roundedAll: 'Rounded All',
  pillOneSide: 'Pill One Side',
  pillAll: 'Pill All',

  navbar: 'Navbar Style',
  glass: 'Glass',
  sticky: 'Sticky',
  defaultNavbar: 'Default Navbar',
});
