import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fakeServer, refuse, unreachable } from './fake-server.ts';
import { premiumUser, subscriptionView, userView } from './people.ts';
import { address, logInUser, openApp } from './render-app.tsx';

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };

describe('Subscription Status', () => {
  test('premium: paid and active, with the dates of the last credit reset and one month after', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({ data: subscriptionView({ plan: 'premium', renews: true }) }),
    });
    openApp('/payments');
    expect(
      await screen.findByText('Your monthly subscription is currently paid for and active'),
    ).toBeInTheDocument();
    expect(screen.getAllByText('November 20, 2026 at 9:41 AM')).toHaveLength(2);
    expect(screen.getByText('December 20, 2026 at 9:41 AM')).toBeInTheDocument();
    expect(screen.queryByText('Get Started')).not.toBeInTheDocument();
  });

  test('one month after the last of January is the last of February', async () => {
    logInUser();
    fakeServer({
      checkUser: () => ({
        remainingTime: 3_600,
        user: premiumUser({ last_credit_reset: '2027-01-31T09:41:00.000Z' }),
      }),
    });
    openApp('/payments');
    expect(await screen.findByText('February 28, 2027 at 9:41 AM')).toBeInTheDocument();
  });

  test('a plan that will not renew says when it ends', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({
        data: subscriptionView({ plan: 'premium', renews: false, periodEnd: '2026-12-20T09:41:00.000Z' }),
      }),
    });
    openApp('/payments');
    expect(
      await screen.findByText('None. Your plan ends on December 20, 2026 at 9:41 AM'),
    ).toBeInTheDocument();
  });

  test('a renewal that could not be collected is told', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({
        data: subscriptionView({ plan: 'premium', renews: true, graceUntil: '2026-12-27T09:41:00.000Z' }),
      }),
    });
    openApp('/payments');
    expect(await screen.findByText(/Your renewal could not be collected/)).toHaveTextContent(
      'December 27, 2026 at 9:41 AM',
    );
  });

  test('free: the plan, what it holds, and Get Started goes to the checkout', async () => {
    const token = logInUser();
    const server = fakeServer({ subscribe: () => ({ url: 'https://checkout.test/cs_1' }) });
    const { user, left } = openApp('/payments');
    expect(await screen.findByText('You are currently un-subscribed')).toBeInTheDocument();
    expect(screen.getByText('$59/Month')).toBeInTheDocument();
    expect(screen.getByText('500 email-finder credits a month for LinkedIn profiles')).toBeInTheDocument();
    expect(await screen.findByText(/6 of them used, the rest until December 12, 2026/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Get Started' }));
    await waitFor(() => expect(left).toEqual(['https://checkout.test/cs_1']));
    const [asked] = server.to('subscribe');
    expect(asked?.query.get('email')).toBe('amara@talentfield.io');
    expect(asked?.token).toBe(token);
    expect(asked?.headers.get('x-xsrf-token')).toBe('proof');
  });

  test('a payment provider that does not answer is told, and the button works again', async () => {
    logInUser();
    fakeServer({
      subscribe: () => {
        throw refuse('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Get Started' }));
    expect(await screen.findByText(/The payment provider is not answering/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Get Started' })).toBeEnabled();
  });

  test('somebody who has subscribed meanwhile sees it', async () => {
    logInUser();
    const server = fakeServer();
    const { user } = openApp('/payments');
    await screen.findByRole('button', { name: 'Get Started' });
    server.now({
      ...premium,
      subscribe: () => {
        throw refuse('billing.already_subscribed');
      },
    });
    await user.click(screen.getByRole('button', { name: 'Get Started' }));
    expect(
      await screen.findByText('Your monthly subscription is currently paid for and active'),
    ).toBeInTheDocument();
  });

  test('somebody who has just paid is never shown as free', async () => {
    logInUser();
    sessionStorage.setItem('pendingPayment', String(Date.now()));
    fakeServer();
    openApp('/payments');
    expect(await screen.findByText('Your payment is being confirmed')).toBeInTheDocument();
    expect(screen.queryByText('You are currently un-subscribed')).not.toBeInTheDocument();
    expect(screen.queryByText('Free User')).not.toBeInTheDocument();
    expect(screen.getByText('Payment received')).toBeInTheDocument();
  });
});

describe('the result of a payment', () => {
  test('is processed, then congratulates, and shows the result after one second', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const token = logInUser();
    let answer = (): void => undefined;
    const server = fakeServer({
      confirmPayment: () =>
        new Promise((resolve) => {
          answer = () => resolve({ message: 'paid', data: premiumUser() });
        }),
    });
    openApp('/payments/success?xsl=cs_1');
    expect(await screen.findByText("Don't close this tab. Your payment is processing")).toBeInTheDocument();
    await waitFor(() => expect(server.to('confirmPayment')).toHaveLength(1));
    server.now(premium);
    await act(async () => {
      answer();
      await vi.advanceTimersByTimeAsync(50);
    });
    expect(await screen.findByRole('heading', { name: 'Congratulations!' })).toBeInTheDocument();
    expect(document.title).toBe('Congratulations! · Shortlist');
    expect(screen.queryByText('Thank you for your purchase')).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_200));
    expect(screen.getByText('Thank you for your purchase')).toBeInTheDocument();
    expect(screen.getByText('Your payment has been processed successfully.')).toBeInTheDocument();
    expect(screen.getByText('November 20, 2026 at 9:41 AM')).toBeInTheDocument();
    expect(screen.getByText('December 20, 2026 at 9:41 AM')).toBeInTheDocument();
    expect(
      screen.getByText('Now you can enjoy all the premium features of our Chrome Extension'),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go To Home' })).toHaveAttribute('href', '/');
    const [sent] = server.to('confirmPayment');
    expect(sent?.body).toMatchObject({ xsl: 'cs_1', user: { id: userView().id } });
    expect(sent?.token).toBe(token);
    expect(screen.getByText('Premium User')).toBeInTheDocument();
  });

  test('without a session: the payment is received, and after log in it is settled with its xsl', async () => {
    const server = fakeServer({
      login: () => ({
        message: 'login',
        data: { token: 'paid-for', user: userView(), remainingTime: 3_600 },
      }),
      confirmPayment: () => ({ message: 'paid', data: premiumUser() }),
    });
    const { user } = openApp('/payments/success?xsl=cs_kept');
    expect(await screen.findByRole('heading', { name: 'Your payment is received' })).toBeInTheDocument();
    expect(server.to('confirmPayment')).toHaveLength(0);
    await user.click(screen.getByRole('link', { name: 'Log In' }));
    await user.type(await screen.findByLabelText('Email'), 'amara@talentfield.io');
    await user.type(screen.getByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    expect(await screen.findByText('Thank you for your purchase')).toBeInTheDocument();
    expect(address()).toBe('/payments/success?xsl=cs_kept');
    expect(server.to('confirmPayment')[0]?.body['xsl']).toBe('cs_kept');
  });

  test('a payment that has not gone through says so and offers Retry', async () => {
    logInUser();
    const server = fakeServer({
      confirmPayment: () => {
        throw refuse('billing.not_paid');
      },
    });
    const { user } = openApp('/payments/success?xsl=cs_1');
    expect(await screen.findByText('This payment has not gone through.')).toBeInTheDocument();
    server.now({ ...premium, confirmPayment: () => ({ message: 'paid', data: premiumUser() }) });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Thank you for your purchase')).toBeInTheDocument();
  });

  test('while billing is down it is asked again by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    logInUser();
    const server = fakeServer({
      confirmPayment: () => {
        throw unreachable();
      },
    });
    openApp('/payments/success?xsl=cs_1');
    await waitFor(() => expect(server.to('confirmPayment')).toHaveLength(1));
    server.now({ ...premium, confirmPayment: () => ({ message: 'paid', data: premiumUser() }) });
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(await screen.findByText('Thank you for your purchase')).toBeInTheDocument();
  });

  test('without an xsl there is nothing to settle', async () => {
    logInUser();
    const server = fakeServer();
    openApp('/payments/success');
    expect(await screen.findByText(/There is no payment to show here/)).toBeInTheDocument();
    expect(server.to('confirmPayment')).toHaveLength(0);
  });
});

describe('Stripe Billing Portal', () => {
  test('a billing customer is sent on to the portal', async () => {
    logInUser();
    const server = fakeServer({ ...premium, billingPortal: () => ({ url: 'https://portal.test/p_1' }) });
    const { left } = openApp('/subscription');
    expect(await screen.findByRole('heading', { name: 'Stripe Billing Portal' })).toBeInTheDocument();
    expect(screen.getAllByText('Loading your Stripe billing portal now').length).toBeGreaterThan(0);
    await waitFor(() => expect(left).toEqual(['https://portal.test/p_1']));
    expect(server.to('billingPortal')[0]?.params['id']).toBe('cus_1');
  });

  test('without one it says so and leads to the payments', async () => {
    logInUser();
    fakeServer();
    openApp('/subscription');
    expect(await screen.findByText('You are currently un-subscribed')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See the monthly plan' })).toHaveAttribute('href', '/payments');
  });

  test('a page that still loads after ten seconds is loaded again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    logInUser();
    fakeServer({ ...premium, billingPortal: () => new Promise(() => undefined) });
    const { left } = openApp('/subscription');
    await screen.findByRole('heading', { name: 'Stripe Billing Portal' });
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(left).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(left).toEqual(['reload']);
  });

  test('a portal that cannot be opened says so, and Retry tries again', async () => {
    logInUser();
    const server = fakeServer({
      ...premium,
      billingPortal: () => {
        throw refuse('billing.provider_unavailable');
      },
    });
    const { user, left } = openApp('/subscription');
    await screen.findByText('The billing portal could not be opened');
    server.now({ billingPortal: () => ({ url: 'https://portal.test/p_2' }) });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(left).toEqual(['https://portal.test/p_2']));
  });
});
