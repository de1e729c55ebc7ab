import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeServer, apiFailure } from './fake-server.ts';
import { creditsView, packBucket, planBucket, premiumSubscription, premiumUser } from './fixtures.ts';
import { address, logInUser, openApp } from './render-app.tsx';

const ENTRY = {
  id: '1',
  amount: -1,
  reference: null,
  clientId: null,
  createdAt: '2026-11-21T09:12:00.000Z',
};

/** All credits of the month are used. */
const USED_UP = { plan: 'premium', limit: 500, used: 500, available: 0, exhausted: true } as const;

describe('Your Credits and Usage', () => {
  const open = (view = creditsView()) => {
    logInUser();
    const server = fakeServer({ credits: () => view });
    return { server, ...openApp('/credits') };
  };

  test('shows the available credits', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'Credits available' })).toBeInTheDocument();
    expect(screen.getByText('14')).toBeInTheDocument();
    expect(screen.getByText('6 used. You get 20 new credits on Dec 12, 2026.')).toBeInTheDocument();
    expect(screen.getByRole('meter', { name: 'Credits used' })).toHaveAttribute('aria-valuenow', '6');
  });

  test('shows what is left by bucket, in the order in which they are used', async () => {
    open(
      creditsView({
        available: 14 + 240 + 5,
        buckets: [
          {
            id: '0192f0c0-0000-7000-8000-000000000778',
            kind: 'grant',
            credits: 50,
            used: 45,
            available: 5,
            endsAt: '2026-12-01T00:00:00.000Z',
          },
          planBucket(),
          packBucket(),
        ],
      }),
    );
    expect(await screen.findByText('259')).toBeVisible();
    expect(screen.queryByText('of 20')).toBeNull();
    const meter = screen.getByRole('meter', { name: 'Credits used' });
    expect([meter.getAttribute('aria-valuenow'), meter.getAttribute('aria-valuemax')]).toEqual(['61', '320']);
    expect(
      screen.getByText('Plan: 14 of 20 left, until Dec 12, 2026. Packs: 240, no expiry. Extra credits: 5.'),
    ).toBeVisible();
    const rows = screen.getByRole('heading', { name: 'Used in this order' }).parentElement;
    const text = [...(rows?.querySelectorAll('dl > div') ?? [])].map((row) => row.textContent);
    expect(text).toEqual([
      expect.stringMatching(/^Extra credits5 of 50 left\. Until (Nov 30|Dec 1), 2026, .+\.$/),
      'Plan credits14 of 20 left. Until Dec 12, 2026.',
      'Pack of 250240 of 250 left. They do not expire.',
    ]);
  });

  test('says when the days of the plan start beside a pack, before the first credit', async () => {
    open(
      creditsView({
        used: 0,
        available: 260,
        windowStart: null,
        windowEnd: null,
        buckets: [planBucket(), packBucket()],
      }),
    );
    expect(
      await screen.findByText(
        'None used yet. Your 30 days start with your first credit. Packs: 240, no expiry.',
      ),
    ).toBeVisible();
  });

  test('shows no list of buckets to a user who has the plan alone', async () => {
    open();
    expect(await screen.findByText('of 20')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Used in this order' })).toBeNull();
  });

  test('has the reference of a failure for support, and none of a refusal', async () => {
    logInUser();
    fakeServer({
      credits: () => {
        throw apiFailure('service.unavailable');
      },
      creditsHistory: () => {
        throw apiFailure('request.rate_limited');
      },
    });
    openApp('/credits');
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
    const [failed, refused] = screen.getAllByRole('alert');
    expect(failed).toHaveTextContent('Reference for support: test');
    expect(refused).not.toHaveTextContent('Reference');
  });

  test('shows that all premium credits are used', async () => {
    open(
      creditsView({
        ...USED_UP,
        premiumUsed: 500,
        usedFor: { messages: 500, emails: 0 },
      }),
    );
    expect(await screen.findByRole('heading', { name: 'Premium credits used up' })).toBeInTheDocument();
    expect(screen.getByText(/You have used all your credits: 500 messages composed/)).toBeInTheDocument();
  });

  test.each([
    ['free', { messages: 12, emails: 8 }, 'You have composed 12 free messages and found 8 emails'],
    ['free', { messages: 0, emails: 20 }, 'You have found 20 emails with free credits'],
    ['premium', { messages: 312, emails: 188 }, /312 messages composed, 188 emails found/],
    ['premium', { messages: 0, emails: 500 }, /all your credits: 500 emails found/],
  ] as const)('counts what %s credits were used for: %j', async (plan, usedFor, text) => {
    const used = usedFor.messages + usedFor.emails;
    open(creditsView({ plan, limit: used, used, available: 0, exhausted: true, usedFor }));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  test.each([
    ['renews', /You get the next 500 on Dec 20, 2026\. Until then, contacts that you used a credit for/],
    ['collecting', /You get the next 500 with your next payment\./],
    ['ends', /Premium ends on Dec 20, 2026\. After that, you get the credits of the free plan\./],
    ['granted', /Premium ends on Dec 20, 2026\. After that, you get the credits of the free plan\./],
  ] as const)('says when premium credits come back of a plan that is %s', async (continuation, text) => {
    logInUser();
    const subscription = premiumSubscription({ continuation, renews: continuation !== 'ends' });
    fakeServer({
      checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }),
      subscription: () => ({ data: subscription }),
      credits: () => creditsView({ ...USED_UP, windowEnd: subscription.periodEnd }),
    });
    openApp('/credits');
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  test.each([
    ['a long grant', 'granted'],
    ['a grant before a payment', 'ends'],
  ] as const)('says when the next ones of %s come', async (_, continuation) => {
    logInUser();
    const periodEnd = '2027-05-20T12:00:00.000Z';
    fakeServer({
      checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }),
      subscription: () => ({
        data: premiumSubscription({
          continuation,
          renews: false,
          periodEnd,
          premiumUntil: periodEnd,
        }),
      }),
      credits: () => creditsView({ ...USED_UP, windowEnd: '2026-12-20T12:00:00.000Z' }),
    });
    openApp('/credits');
    expect(await screen.findByText(/You get the next 500 on Dec 20, 2026\./)).toBeInTheDocument();
    expect(screen.queryByText(/Premium ends on/)).not.toBeInTheDocument();
  });

  test('shows that all free credits are used', async () => {
    const usedFor = { messages: 20, emails: 0 };
    open(creditsView({ used: 20, available: 0, exhausted: true, freeUsed: 20, usedFor }));
    expect(await screen.findByRole('heading', { name: 'Free credits used up' })).toBeInTheDocument();
    expect(screen.getByText('You have composed 20 free messages')).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/payments');
  });

  test('shows a window that has not started', async () => {
    open(creditsView({ used: 0, available: 20, freeUsed: 0, windowStart: null, windowEnd: null }));
    expect(
      await screen.findByText('None used yet. Your 30 days start with your first credit.'),
    ).toBeInTheDocument();
  });

  test('shows a message for an empty history, over which there is nothing to filter or download', async () => {
    open();
    expect(await screen.findByText(/You have not used any credits yet/)).toBeInTheDocument();
    const history = within(screen.getByRole('region', { name: 'History' }));
    expect(history.queryByRole('search')).not.toBeInTheDocument();
    expect(history.queryByRole('button')).not.toBeInTheDocument();
  });

  test('pages through the history', async () => {
    logInUser();
    fakeServer({
      creditsHistory: ({ query }) =>
        query.get('cursor') === null
          ? { data: [{ ...ENTRY, reason: 'message_composed', reference: 'Ingrid' }], next: 'c2' }
          : { data: [{ ...ENTRY, reason: 'email_found' }], next: null },
    });
    const { user } = openApp('/credits');
    expect(await screen.findByRole('cell', { name: 'Message composed' })).toBeInTheDocument();
    expect(screen.getByText('Ingrid')).toBeInTheDocument();
    expect(screen.getByText('Nov 21, 2026, 9:12 AM')).toBeInTheDocument();
    expect(screen.getByText('−1')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Older' }));
    expect(await screen.findByRole('cell', { name: 'Email found' })).toBeInTheDocument();
    expect(address()).toBe('/credits?cursor=c2&page=2');
    expect(screen.getByRole('button', { name: 'Older' })).toHaveAttribute('aria-disabled', 'true');
    act(() => window.history.back());
    expect(await screen.findByRole('cell', { name: 'Message composed' })).toBeInTheDocument();
    act(() => window.history.forward());
    expect(await screen.findByText('Page 2')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Newer' }));
    expect(await screen.findByRole('cell', { name: 'Message composed' })).toBeInTheDocument();
  });

  test('opens at the first page when that of its address is gone', async () => {
    logInUser();
    fakeServer({
      creditsHistory: ({ query }) => {
        if (query.get('cursor') === 'gone') throw apiFailure('request.stale_cursor');
        return {
          data: [{ ...ENTRY, reason: 'message_composed' }],
          next: null,
        };
      },
    });
    const { user } = openApp('/credits?cursor=gone&page=2');
    await screen.findByText('Your history could not be loaded');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('cell', { name: 'Message composed' })).toBeVisible();
    expect(address()).toBe('/credits');
  });

  test('shows an error when the credits cannot be loaded, and Retry loads them', async () => {
    logInUser();
    const server = fakeServer({
      credits: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/credits');
    const title = await screen.findByText('Your credits could not be loaded');
    server.use({ credits: () => creditsView() });
    const retry = title.parentElement?.querySelector('button');
    if (!retry) throw new Error('There is no Retry.');
    await user.click(retry);
    expect(await screen.findByRole('heading', { name: 'Credits available' })).toBeInTheDocument();
  });
});
