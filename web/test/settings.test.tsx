import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { logInUser, openApp } from './render-app.tsx';

const root = document.documentElement;

/** The radio button or checkbox of a choice. */
const choiceOf = (dialog: HTMLElement, group: string, name: string): HTMLElement =>
  within(within(dialog).getByRole('group', { name: group })).getByLabelText(name);

const openSettings = async () => {
  logInUser();
  fakeServer();
  const app = openApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Settings' }));
  const dialog = await screen.findByRole('dialog', { name: 'Settings' });
  const panel = within(dialog);
  const press = (group: string, name: string) => app.user.click(choiceOf(dialog, group, name));
  return { ...app, dialog, panel, press };
};

test.each([
  ['Scheme', 'Dark', 'data-theme', 'dark'],
  ['Scheme', 'Light', 'data-theme', 'light'],
  ['Color Customizer', 'Iris', 'data-accent', 'iris'],
  ['Scheme Direction', 'RTL', 'dir', 'rtl'],
  ['Sidebar Color', 'Dark', 'data-sidebar-color', 'dark'],
  ['Sidebar Color', 'Transparent', 'data-sidebar-color', 'transparent'],
  ['Sidebar Types', 'Mini', 'data-sidebar-mini', ''],
  ['Sidebar Types', 'Boxed', 'data-sidebar-boxed', ''],
  ['Sidebar Active Style', 'Pill One Side', 'data-sidebar-active', 'pill-one-side'],
  ['Navbar Style', 'Glass', 'data-navbar', 'glass'],
])('%s: %s changes the page and is stored', async (...[group, choice, attribute, value]) => {
  const { press, dialog } = await openSettings();
  await press(group, choice);
  expect(root).toHaveAttribute(attribute, value);
  expect(choiceOf(dialog, group, choice)).toBeChecked();
  expect(localStorage.getItem('layoutSettings')).not.toBeNull();
});

test('Mini and Hover exclude each other, Boxed goes with either, and one press restores the defaults', async () => {
  const { press, panel, user } = await openSettings();
  await press('Sidebar Types', 'Hover');
  await press('Sidebar Types', 'Mini');
  expect(root).not.toHaveAttribute('data-sidebar-hover');
  await press('Sidebar Types', 'Boxed');
  expect(root).toHaveAttribute('data-sidebar-mini');
  expect(root).toHaveAttribute('data-sidebar-boxed');
  await user.click(panel.getByRole('button', { name: 'Restore defaults' }));
  expect(root).not.toHaveAttribute('data-sidebar-mini');
});

test('stored settings apply at the start, invalid ones do not', async () => {
  localStorage.setItem(
    'layoutSettings',
    JSON.stringify({ accent: 'clay', navbar: '"><script>', sidebarTypes: 7 }),
  );
  fakeServer();
  openApp('/login');
  await screen.findByRole('heading', { name: 'Log In' });
  expect(root).toHaveAttribute('data-accent', 'clay');
  expect(root).toHaveAttribute('data-navbar', 'default');
  expect(document.body).toHaveClass('theme-color-clay');
});

test('Escape closes the settings and restores the focus', async () => {
  const { user } = await openSettings();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Settings' })).toHaveFocus();
});
