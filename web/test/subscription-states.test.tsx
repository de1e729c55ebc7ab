import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { STATES, type SubscriptionState, subscriptionState } from '../src/lib/subscription.rules.ts';
import { fakeServer } from './fake-server.ts';
import { premiumUser, subscriptionView, userView } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { closeApp, logInUser, openApp } from './render-app.tsx';
import { paid, usedUpCredits, VIEWS } from './subscription-views.ts';

const END_DAY = 'Dec 20, 2026';

const SCREENS = ['/payments', '/', '/credits', '/subscription'] as const;

/** Nobody who reads one of these may read of trouble, or of a granted plan, anywhere. */
const CALM = /paid for and active|Next installment|Renews on|none due/i;
const TROUBLE =
  /could not collect|needs you to confirm|still confirming|is paused|you disputed|another subscription|not confirmed yet/i;
const UNSUBSCRIBED = /un-subscribed|Get Started|upgrade at any time|Free User|On the free plan/;
const PREMIUM = /Premium User|Premium until|You keep Premium/;
const OF_A_PAYER = /paid for|Last payment|installment|\/Month/;

const serve = (view: SubscriptionView) => {
  const user = (view.plan === 'premium' ? premiumUser : userView)({ stripe_customer_id: view.customerId });
  fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user }),
    subscription: () => ({ data: view }),
    credits: () => usedUpCredits(view.plan),
    billingPortal: () => new Promise(() => undefined),
  });
};

/** The text of a page once everything on it is loaded. */
const read = async (path: string, view: SubscriptionView): Promise<string> => {
  logInUser();
  serve(view);
  openApp(path);
  await screen.findByText(view.plan === 'premium' ? 'Premium User' : 'Free User');
  await waitFor(() => expect(document.querySelector('.skeleton')).toBeNull());
  await screen.findByRole('heading', { level: 1 });
  const text = document.body.textContent ?? '';
  closeApp();
  return text;
};

const readAll = async (state: SubscriptionState): Promise<Record<string, string>> => {
  const view = subscriptionView({
    customerId: state === 'free' || state === 'granted' ? null : 'cus_1',
    ...VIEWS[state],
  });
  expect(subscriptionState(view)).toBe(state);
  const texts: Record<string, string> = {};
  for (const path of SCREENS) texts[path] = await read(path, view);
  return texts;
};

/** The days on which something ends or renews, as any screen names them. */
const ENDS = /(?:ends?|until|renews|installment due|next 500 on)(?: on)? ?(\w+ \d+, 20\d\d)/gi;

describe('the screens of a subscription', () => {
  test.each(Object.keys(VIEWS) as SubscriptionState[])('agree about one that is %s', async (state) => {
    const texts = await readAll(state);
    const all = Object.values(texts).join('\n');
    const { plan, action, trouble, headline, dates } = STATES[state];
    const isTroubled = trouble !== null && trouble !== 'incomplete';
    expect(TROUBLE.test(all)).toBe(isTroubled);
    if (isTroubled) expect(all).not.toMatch(CALM);
    expect(all).not.toMatch(plan === 'premium' ? UNSUBSCRIBED : PREMIUM);
    if (headline === 'granted') expect(all).not.toMatch(OF_A_PAYER);
    expect(/un-subscribed|Get Started/.test(all)).toBe(action === 'buy');
    for (const [, day] of all.matchAll(ENDS)) expect(day).toBe(END_DAY);
    expect(texts['/payments']?.includes(`Plan ends${END_DAY}`)).toBe(dates.includes('planEnds'));
  });

  test('say that Premium has ended a moment after its end, while the page is open', async () => {
    holdTime();
    const now = Date.now();
    logInUser();
    const end = new Date(now + minutes(1)).toISOString();
    const ending = subscriptionView({ ...paid('ends'), premiumUntil: end, periodEnd: end });
    fakeServer({
      checkUser: () => ({
        remainingTime: 3_600,
        user: Date.now() < now + minutes(1) ? premiumUser() : userView(),
      }),
      subscription: () => ({ data: Date.now() < now + minutes(1) ? ending : subscriptionView() }),
    });
    openApp('/payments');
    await screen.findByText(/^Your subscription is canceled\. Premium ends on/);
    await act(() => vi.advanceTimersByTimeAsync(minutes(1) - seconds(5)));
    expect(screen.queryByText('You are currently un-subscribed')).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(seconds(7)));
    expect(await screen.findByText('You are currently un-subscribed')).toBeInTheDocument();
    expect(await screen.findByText('Free User')).toBeInTheDocument();
  });

  test.each(['past_due_free', 'past_due_granted', 'paused_paid', 'authentication_paid'] as const)(
    'say what mends one that is %s, on each but its own page in the bar',
    async (state) => {
      const view = subscriptionView({ customerId: 'cus_1', ...VIEWS[state] });
      for (const path of ['/', '/credits']) {
        logInUser();
        serve(view);
        openApp(path);
        await waitFor(() => expect(document.querySelector('.frame-bar a')).not.toBeNull());
        closeApp();
      }
    },
  );
});
