import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeServer, apiFailure } from './fake-server.ts';
import { premiumSubscription, premiumUser } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };
const never = (): Promise<never> => new Promise(() => undefined);
const down = (): never => {
  throw apiFailure('service.unavailable');
};

describe('the home page of a paying user', () => {
  test('shows neither invoice nor period before billing responds', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: never });
    openApp('/');
    expect(await screen.findByRole('heading', { name: 'Stripe Portal' })).toBeInTheDocument();
    expect(screen.queryByText('No invoice yet')).not.toBeInTheDocument();
    expect(screen.queryByText(/Renews on/)).not.toBeInTheDocument();
  });

  test('shows both as not available while billing is down', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: down });
    openApp('/');
    expect(await screen.findByText('We cannot show the last invoice right now')).toBeInTheDocument();
    expect(screen.getByText('We cannot show the renewal date right now')).toBeInTheDocument();
    expect(screen.queryByText('No invoice yet')).not.toBeInTheDocument();
  });

  test('shows that there is no invoice when billing has none', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: () => ({ data: premiumSubscription({ lastPayment: null }) }) });
    openApp('/');
    expect(await screen.findByText('No invoice yet')).toBeInTheDocument();
    expect(screen.getByText('Renews on Dec 20, 2026')).toBeInTheDocument();
  });
});

describe('the next installment', () => {
  test('is not available while billing is down', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: down });
    openApp('/payments');
    expect(await screen.findByText('We cannot show the dates of your plan right now.')).toBeInTheDocument();
    expect(screen.queryByText(/paid for and active/)).not.toBeInTheDocument();
    expect(screen.queryByText('Dec 20, 2026, 9:41 AM')).not.toBeInTheDocument();
  });
});

describe('the free credits next to the plan', () => {
  const panel = async () => within(await screen.findByRole('region', { name: 'On the free plan' }));

  test('have no meter before the credits are loaded', async () => {
    logInUser();
    fakeServer({ credits: never });
    openApp('/payments');
    expect((await panel()).queryByRole('meter')).not.toBeInTheDocument();
  });

  test('are not available while the credits service is down', async () => {
    logInUser();
    fakeServer({ credits: down });
    openApp('/payments');
    expect(
      await (await panel()).findByText(/We cannot show how many are left right now/),
    ).toBeInTheDocument();
    expect((await panel()).queryByRole('meter')).not.toBeInTheDocument();
  });

  test('have a meter once the credits are loaded', async () => {
    logInUser();
    fakeServer();
    openApp('/payments');
    expect(await (await panel()).findByRole('meter')).toHaveAttribute('aria-valuenow', '6');
  });
});
