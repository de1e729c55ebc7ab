import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { premiumUser, userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const openMenu = async (path = '/') => {
  logInUser();
  fakeServer();
  const { user } = openApp(path);
  const button = await screen.findByRole('button', { name: /Account menu$/ });
  button.focus();
  await user.keyboard('{ArrowDown}');
  return { user, button };
};

describe('the account menu', () => {
  test('leads to profile, security and billing, and ends with Logout', async () => {
    await openMenu();
    const items = screen.getAllByRole('menuitem');
    expect(items.map((item) => [item.textContent, item.getAttribute('href')])).toEqual([
      ['Profile', '/profile'],
      ['Security', '/security'],
      ['Billing', '/payments'],
      ['Logout', null],
    ]);
  });

  test('repeats name and plan, which a narrow bar leaves out', async () => {
    await openMenu();
    expect(document.querySelector('.menu-head')).toHaveTextContent('Amara Okafor Free User');
  });

  test('is used by the keyboard: arrows, Home, End and Escape, which returns the focus', async () => {
    const { user, button } = await openMenu();
    expect(screen.getByRole('menuitem', { name: 'Profile' })).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: 'Security' })).toHaveFocus();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(screen.getByRole('menuitem', { name: 'Logout' })).toHaveFocus();
    await user.keyboard('{Home}');
    expect(screen.getByRole('menuitem', { name: 'Profile' })).toHaveFocus();
    await user.keyboard('{End}');
    expect(screen.getByRole('menuitem', { name: 'Logout' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
    expect(button).toHaveFocus();
  });

  test('returns the focus to its button when it leads to the page that is open', async () => {
    const { user, button } = await openMenu('/profile');
    await screen.findByRole('heading', { name: 'User Profile' });
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
    expect(button).toHaveFocus();
  });
});

describe('the plan in the top bar', () => {
  test('is not shown while the page says that a payment is processing', async () => {
    logInUser();
    fakeServer({
      checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }),
      confirmPayment: () => new Promise(() => undefined),
    });
    openApp('/payments/success?xsl=cs_1');
    await screen.findByText("Don't close this tab. Your payment is processing");
    await waitFor(() => expect(screen.queryByText('Premium User')).not.toBeInTheDocument());
  });

  test('has no third state beside Premium User and Free User', async () => {
    logInUser();
    sessionStorage.setItem('pendingPayment', `${userView().id} ${Date.now()}`);
    fakeServer();
    openApp('/payments');
    await screen.findByText('Your payment is being confirmed');
    const button = screen.getByRole('button', { name: /Account menu$/ });
    expect(button.querySelector('.account-menu-plan')).toBeEmptyDOMElement();
  });
});
