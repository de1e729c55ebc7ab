import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, apiFailure } from './fake-server.ts';
import { premiumUser, subscriptionView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

test('the account panel has its three cards and its table of links', async () => {
  logInUser();
  fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }),
    subscription: () => ({
      data: subscriptionView({
        plan: 'premium',
        periodEnd: '2026-12-20T09:41:00.000Z',
        renews: true,
        lastPayment: { amount: 5900, currency: 'usd', paidAt: '2026-11-20T09:41:00.000Z' },
      }),
    }),
  });
  openApp('/');
  expect(await screen.findByRole('link', { name: 'Go To Your Profile' })).toHaveAttribute('href', '/profile');
  expect(
    screen.getByText('You can manage your account and update your subscription from here'),
  ).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Manage Subscription' })).toHaveAttribute('href', '/payments');
  expect(screen.getByRole('link', { name: 'Manage Stripe Account' })).toHaveAttribute(
    'href',
    '/subscription',
  );
  expect(await screen.findByText('Renews on Dec 20, 2026')).toBeInTheDocument();
  expect(screen.getByText('$59.00')).toBeInTheDocument();
  const tools = within(screen.getByRole('navigation', { name: 'Your tools' }));
  for (const [name, href] of [
    [/Download Automation Bot/, 'https://bot.test/'],
    [/Go To CRM/, 'https://crm.test/'],
    [/About Us/, 'https://about.test/'],
  ] as const) {
    const link = tools.getByRole('link', { name });
    expect(link).toHaveAttribute('href', href);
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  }
});

test('the account panel shows its cards when the subscription cannot be loaded', async () => {
  logInUser();
  fakeServer({
    subscription: () => {
      throw apiFailure('service.unavailable');
    },
  });
  openApp('/');
  const organization = await screen.findByText('Talent Field', { selector: 'bdi' });
  expect(organization.parentElement).toHaveTextContent('Amara Okafor, Talent Field');
});
