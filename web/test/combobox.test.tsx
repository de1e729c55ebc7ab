import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { logInUser, openApp } from './render-app.tsx';

/** The list of countries, opened by an input at this position in a window of 768 px. */
const openList = async (top: number) => {
  logInUser();
  fakeServer();
  vi.stubGlobal('innerHeight', 768);
  const { user } = openApp('/profile');
  const input = await screen.findByLabelText('Country');
  input.getBoundingClientRect = () => DOMRect.fromRect({ y: top, height: 40 });
  await user.click(input);
  return screen.getByRole('listbox');
};

test.each([
  [100, 'min(16rem, 620px)'],
  [500, 'min(16rem, 220px)'],
])('the list of a combobox at %i px ends within the window', async (top, height) => {
  const list = await openList(top);
  expect(list.style.maxBlockSize).toBe(height);
  expect(list).not.toHaveClass('is-above');
});

test('the list of a combobox near the bottom of the window opens above it', async () => {
  const list = await openList(700);
  expect(list).toHaveClass('is-above');
  expect(list.style.maxBlockSize).toBe('min(16rem, 692px)');
});
