import type { PaymentProblem } from '@shortlist/contracts/api/billing';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { days } from '@shortlist/contracts/durations';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { grantDays } from '../src/lib/grant-days.ts';
import { tableDate } from '../src/lib/dates.ts';
import {
  accountStatusOf,
  directoryRow,
  premiumSubscription,
  premiumUser,
  subscriptionView,
  userView,
} from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const problem = (kind: PaymentProblem['kind']): PaymentProblem => ({
  kind,
  amount: 5_900,
  currency: 'usd',
  payUrl: null,
  resumesAt: null,
  since: '2026-11-22T08:00:00.000Z',
});
const FREE = userView({ stripe_customer_id: 'cus_1' });

const open = (change: Parameters<typeof accountStatusOf>[1] = {}) => {
  logInAdmin();
  const server = fakeServer({
    getUser: () => ({ data: FREE }),
    accountStatus: () => ({ data: accountStatusOf(FREE, change) }),
    grantPlan: () => ({ message: 'premium', data: premiumUser() }),
  });
  return { server, ...openApp(`/admin/edit-user?user_id=${FREE.id}`) };
};
const withProblem = (kind: PaymentProblem['kind']) => ({
  subscription: subscriptionView({ renews: true, problem: problem(kind) }),
});
const panel = async (): Promise<HTMLElement> =>
  screen.findByRole('region', { name: 'Subscription Information' });

describe('support reads of a user', () => {
  test.each([
    [
      'past_due',
      'We could not collect your renewal payment',
      'Ask the user to pay under Subscription Status',
    ],
    ['authentication', 'Your bank needs you to confirm your payment', 'Nobody else can'],
    ['processing', 'Your bank is still confirming your payment', 'The user must not pay again'],
    ['incomplete', 'Your first payment did not go through', 'with another card'],
    ['paused', 'Your subscription is paused', 'Resume it in Stripe'],
    ['disputed', 'a payment that you disputed', 'Send evidence in Stripe'],
    ['other_subscription', 'You have another subscription', 'Open the customer in Stripe'],
  ] as const)('%s: what the user reads, since when, and what can be done', async (kind, text, advice) => {
    open(withProblem(kind));
    const information = await panel();
    await waitFor(() => expect(information).toHaveTextContent(text));
    expect(information).toHaveTextContent('Since Nov 22, 2026, 8:00 AM');
    expect(information).toHaveTextContent('What happens next');
    expect(information).toHaveTextContent(advice);
  });

  test('the packs that the user bought, and what became of them', async () => {
    const pack = {
      version: 1,
      credits: 250,
      amount: 1_900,
      currency: 'usd',
      paidAt: '2026-11-20T09:41:00.000Z',
    };
    open({
      packs: [
        { ...pack, packId: 'one', paidCredits: 250, state: 'paid' },
        { ...pack, packId: 'two', paidCredits: 184, state: 'partly_refunded' },
        { ...pack, packId: 'three', paidCredits: 0, state: 'disputed' },
      ],
    });
    const information = await panel();
    await waitFor(() => expect(information).toHaveTextContent('Packs of credits'));
    const lines = within(information).getAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual([
      'Nov 20, 2026: 250 credits for $19.00.',
      'Nov 20, 2026: 250 credits for $19.00. Partly refunded: 184 credits are paid for.',
      'Nov 20, 2026: 250 credits for $19.00. Disputed, so its credits do not count unless the dispute is won.',
    ]);
  });

  test('an address that is not confirmed and a lock', async () => {
    open({
      isVerified: false,
      blocksCheckout: true,
      confirmBy: '2026-12-01T00:00:00.000Z',
      lockedUntil: '2026-11-26T09:30:00.000Z',
    });
    expect(await screen.findByText(/The user cannot subscribe until it is/)).toHaveTextContent(
      'The account is deleted on Dec 1, 2026 unless it is confirmed.',
    );
    expect(screen.getByText(/have to wait until Nov 26, 2026, 9:30 AM/)).toBeInTheDocument();
  });

  test('nothing of it when all is well', async () => {
    open();
    await waitFor(async () => expect(await panel()).toHaveTextContent('You are currently un-subscribed'));
    expect(screen.queryByText(/What happens next|not confirmed|have to wait/)).not.toBeInTheDocument();
  });
});

describe('a grant', () => {
  test.each([
    ['processing', /the user has paid for the time you grant/],
    ['past_due', /can still be paid or collected/],
    ['paused', /is charged even for the time you grant/],
  ] as const)(
    'over a payment that is %s warns before it, and Cancel grants nothing',
    async (kind, warning) => {
      const { server, user } = open(withProblem(kind));
      await user.click(await screen.findByRole('button', { name: 'Make Him A Premium User' }));
      const dialog = await screen.findByRole('dialog', { name: 'Make Amara Okafor Premium?' });
      expect(within(dialog).getByText(warning)).toBeInTheDocument();
      await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
      expect(server.requestsTo('grantPlan')).toHaveLength(0);
      await user.click(screen.getByRole('button', { name: 'Make Him A Premium User' }));
      await user.click(await screen.findByRole('button', { name: 'Grant Premium anyway' }));
      await screen.findByText('Amara Okafor is now Premium.');
      expect(server.requestsTo('grantPlan')).toHaveLength(1);
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    },
  );

  test('is for a month, or until the end of a chosen day, with a reason', async () => {
    const { server, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Make Him A Premium User' }));
    const dialog = within(screen.getByRole('dialog'));
    const day = dialog.getByLabelText('Last day');
    expect(day).toHaveValue(grantDays(Date.now()).initial);
    fireEvent.change(day, { target: { value: '2099-01-01' } });
    expect(day).toHaveAccessibleDescription(/^Choose a day from /);
    expect(dialog.queryByText(/Includes/)).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Grant Premium' }));
    expect(server.requestsTo('grantPlan')).toHaveLength(0);
    const chosen = tableDate(new Date(Date.now() + days(3)));
    fireEvent.change(day, { target: { value: chosen } });
    await user.type(dialog.getByLabelText(/^Reason/), ' The bot was down ');
    server.use({
      grantPlan: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    await user.click(dialog.getByRole('button', { name: 'Grant Premium' }));
    expect(await dialog.findByRole('alert')).toBeVisible();
    expect(dialog.getByLabelText(/^Reason/)).toHaveValue(' The bot was down ');
    server.use({ grantPlan: () => ({ message: 'premium', data: premiumUser() }) });
    await user.click(dialog.getByRole('button', { name: 'Grant Premium' }));
    await screen.findByText('Amara Okafor is now Premium.');
    expect(server.requestsTo('grantPlan').at(-1)?.body).toEqual({
      until: new Date(`${chosen}T23:59:59.999`).toISOString(),
      reason: 'The bot was down',
    });
  });
});

describe('A grant of several months', () => {
  test('says how many credits come when, and is sent with the last day', async () => {
    const { server, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Make Him A Premium User' }));
    const dialog = within(screen.getByRole('dialog'));
    const day = dialog.getByLabelText('Last day');
    expect(day).toHaveAccessibleDescription(
      'In your time zone, at most twelve months from now. Includes 500 credits.',
    );
    const { last } = grantDays(Date.now());
    fireEvent.change(day, { target: { value: last } });
    expect(day).toHaveAccessibleDescription(/Includes 500 credits at the start of each of 12 months\.$/);
    await user.click(dialog.getByRole('button', { name: 'Grant Premium' }));
    await screen.findByText('Amara Okafor is now Premium.');
    expect(server.requestsTo('grantPlan').at(-1)?.body).toEqual({
      until: new Date(`${last}T23:59:59.999`).toISOString(),
    });
  });

  test('that is refused is explained, and can be changed', async () => {
    const { server, user } = open();
    server.use({
      grantPlan: () => {
        throw apiFailure('billing.grant_end');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Make Him A Premium User' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Grant Premium' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Choose an end from today to twelve months from now.',
    );
    expect(dialog.getByLabelText('Last day')).toBeEnabled();
  });
});

describe('Resume', () => {
  const ending = premiumSubscription({ continuation: 'ends', renews: false, canResume: true });
  const openEnding = (role: AdminRole, subscription = ending) => {
    logInAdmin();
    const server = fakeServer({
      checkAdmin: () => ({ remainingTime: 3_600, role }),
      getUser: () => ({ data: premiumUser() }),
      accountStatus: () => ({ data: accountStatusOf(premiumUser(), { subscription }) }),
    });
    return { server, ...openApp(`/admin/edit-user?user_id=${premiumUser().id}`) };
  };

  test('says what is charged when, sends the reason, and is gone once the plan renews', async () => {
    const { server, user } = openEnding('support');
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Resume the subscription of Amara Okafor?' }));
    expect(dialog.getByText(/is charged \$59\.00 on Dec 20, 2026/)).toBeVisible();
    await user.type(dialog.getByLabelText(/^Reason/), 'Asked by phone');
    server.use({
      resumeUserPlan: () => {
        server.use({ accountStatus: () => ({ data: accountStatusOf(premiumUser()) }) });
        return { message: 'resumed', data: premiumUser() };
      },
    });
    await user.click(dialog.getByRole('button', { name: 'Resume subscription' }));
    expect(await screen.findByText('The subscription of Amara Okafor continues.')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Resume' })).not.toBeInTheDocument();
    expect(server.requestsTo('resumeUserPlan').map(({ body }) => body)).toEqual([
      { reason: 'Asked by phone' },
    ]);
  });

  test('is only offered where Stripe would resume it', async () => {
    openEnding('owner', { ...ending, canResume: false });
    expect(await screen.findByRole('button', { name: 'Unsubscribe' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Resume' })).not.toBeInTheDocument();
  });

  test('D6 is not offered to finance, which may not grant a plan', async () => {
    openEnding('finance');
    expect(await screen.findByText(/no longer renews/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Resume' })).not.toBeInTheDocument();
  });
});

describe('without a service', () => {
  test('billing: the panel says so, and the form and the rest work', async () => {
    const { server, user } = open();
    server.use({ accountStatus: () => ({ data: { ...accountStatusOf(FREE), plan: null } }) });
    const information = within(await panel());
    expect(information.getByText(/cannot show or change the subscription/)).toBeVisible();
    expect(screen.getByLabelText('City')).toHaveValue('Bergen');
    expect(screen.queryByRole('button', { name: 'Make Him A Premium User' })).not.toBeInTheDocument();
    server.use({ accountStatus: () => ({ data: accountStatusOf(FREE) }) });
    await user.click(information.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Make Him A Premium User' })).toBeVisible();
  });

  test('identity: a notice says so, and the plan is there', async () => {
    const { server, user } = open();
    server.use({ accountStatus: () => ({ data: { ...accountStatusOf(FREE), access: null } }) });
    expect(await screen.findByText(/cannot check right now whether this user can sign in/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Make Him A Premium User' })).toBeVisible();
    server.use({ accountStatus: () => ({ data: accountStatusOf(FREE) }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/cannot check right now/)).not.toBeInTheDocument());
  });
});

describe('the user list', () => {
  test('has a sign of a payment in trouble, and a filter for it', async () => {
    logInAdmin();
    const server = fakeServer({
      listUsers: () => ({
        data: [directoryRow(1, { paymentProblem: 'past_due' }), directoryRow(2)],
        total: 2,
        isCapped: false,
        next: null,
      }),
    });
    const { user } = openApp('/admin/user-list');
    const row = (await screen.findByRole('link', { name: 'Person Number 1' })).closest('tr');
    expect(row).toHaveTextContent('Payment failed');
    expect(screen.getAllByText('Payment failed')).toHaveLength(1);
    expect(screen.getByText('Payment failed')).toHaveClass('badge');
    await user.selectOptions(screen.getByLabelText('Payment'), 'With a problem');
    await waitFor(() => expect(address()).toContain('payment=problem'));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('payment')).toBe('problem'));
  });
});
