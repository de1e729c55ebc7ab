import { screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
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

describe('a combobox', () => {
  const open = async (label: string) => {
    logInUser();
    fakeServer();
    const { user } = openApp('/profile');
    const input = await screen.findByLabelText(label);
    await user.clear(input);
    return { user, input };
  };

  test('finds a country by a usual name', async () => {
    const { user, input } = await open('Country');
    await user.type(input, 'UK{Enter}');
    expect(input).toHaveValue('United Kingdom');
  });

  test('accepts the match that is reached with Tab, and goes on to the next field', async () => {
    const { user, input } = await open('Country');
    await user.type(input, 'norw');
    await user.tab();
    expect(input).toHaveValue('Norway');
    expect(input).not.toHaveFocus();
    expect(screen.getByLabelText('City')).toHaveFocus();
  });

  test('that is opened without a text and left with Tab keeps its value', async () => {
    const { user, input } = await open('Country');
    await user.click(input);
    await user.tab();
    expect(input).toHaveValue('');
  });

  test('of free values keeps the text, and an arrow key reaches the first match', async () => {
    const { user, input } = await open('Primary recruiting industry');
    await user.type(input, 'soft');
    expect(input).not.toHaveAttribute('aria-activedescendant');
    await user.keyboard('{Enter}');
    expect(input).toHaveValue('soft');
    await user.clear(input);
    await user.type(input, 'soft');
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { name: 'Software' })).toHaveAttribute('data-active', 'true');
    await user.keyboard('{Enter}');
    expect(input).toHaveValue('Software');
  });

  test('reaches the first choice with the arrow that opens it, and the last with the other', async () => {
    const { user, input } = await open('Country');
    await user.tab();
    await user.tab({ shift: true });
    await user.keyboard('{ArrowDown}{Enter}');
    expect(input).toHaveValue('Afghanistan');
    await user.clear(input);
    await user.tab();
    await user.tab({ shift: true });
    await user.keyboard('{ArrowUp}{Enter}');
    expect(input).toHaveValue('Zimbabwe');
  });

  test('says that nothing matches, and keeps the text beside the error', async () => {
    const { user, input } = await open('Country');
    await user.type(input, 'Atlantis');
    expect(screen.getByRole('option', { name: 'No results for “Atlantis”' })).toBeVisible();
    expect(
      screen.getByText('No results for “Atlantis”', { selector: '[role="status"]' }),
    ).toBeInTheDocument();
    expect(input).not.toHaveAttribute('aria-activedescendant');
    await user.tab();
    expect(input).toHaveValue('Atlantis');
    expect(input).toHaveAccessibleDescription('Please select a country');
    await user.click(input);
    await user.clear(input);
    await user.type(input, 'portu{Enter}');
    expect(input).toHaveValue('Portugal');
  });
});
