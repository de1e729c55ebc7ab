import { act, screen, waitFor } from '@testing-library/react';
import type { CreditPack } from '@shortlist/contracts/api/billing';
import { describe, expect, test, vi } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { creditsView } from './fixtures.ts';
import { holdTime, passUntil } from './hold-time.ts';
import { logInUser, openApp } from './render-app.tsx';

const OFFER = { credits: 250, amount: 1_900, currency: 'usd' };
const PACK: CreditPack = {
  packId: '0192f0c0-0000-8000-8000-00000000000a',
  version: 1,
  ...OFFER,
  paidCredits: 250,
  paidAt: '2026-11-20T09:41:00.000Z',
  state: 'paid',
};
const offered = { creditPacks: () => ({ data: { offer: OFFER, packs: [] } }) };

describe('the line of the pack on the credits page', () => {
  test('states what it has, costs, and that it does not renew, and leads to the checkout', async () => {
    logInUser();
    const server = fakeServer({ ...offered, buyPack: () => ({ url: 'https://checkout.test/c/1' }) });
    const { user, visited } = openApp('/credits');
    expect(await screen.findByRole('heading', { name: 'Pack of 250 credits, $19.00' })).toBeInTheDocument();
    expect(
      screen.getByText('Used after your free credits. Does not expire. One-time card payment.'),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Buy pack' }));
    await waitFor(() => expect(visited).toEqual(['https://checkout.test/c/1']));
    expect(server.requestsTo('buyPack')).toHaveLength(1);
  });

  test.each([
    ['free', 'Get Started'],
    ['premium', 'Buy pack'],
  ] as const)(
    'leaves one primary button once the credits of the %s plan are used up: %s',
    async (plan, name) => {
      logInUser();
      const usedUp = { plan, limit: 20, used: 20, available: 0, exhausted: true };
      fakeServer({ ...offered, credits: () => creditsView(usedUp) });
      openApp('/credits');
      await screen.findByRole('button', { name: 'Buy pack' });
      const primary = [...document.querySelectorAll('.button.is-primary')];
      expect(primary.map(({ textContent }) => textContent)).toEqual([name]);
    },
  );

  test('says when it is used beside Premium', async () => {
    logInUser();
    fakeServer({ ...offered, credits: () => creditsView({ plan: 'premium', limit: 500 }) });
    openApp('/credits');
    expect(await screen.findByText(/^Used after this month’s credits\./)).toBeInTheDocument();
  });

  test('is busy until the checkout opens, and sends one request for two presses', async () => {
    logInUser();
    const server = fakeServer({ ...offered, buyPack: () => new Promise(() => undefined) });
    const { user } = openApp('/credits');
    await user.click(await screen.findByRole('button', { name: 'Buy pack' }));
    await user.click(await screen.findByRole('button', { name: 'Opening…' }));
    expect(server.requestsTo('buyPack')).toHaveLength(1);
  });

  test.each([
    ['billing.provider_unavailable', /You have not been charged\. Please try again in a moment\./],
    ['identity.email_unverified', /confirm/i],
    ['billing.busy', /Your payment is already being processed/],
  ] as const)('shows the failure %s beside the button', async (code, text) => {
    logInUser();
    fakeServer({
      ...offered,
      buyPack: () => {
        throw apiFailure(code);
      },
    });
    const { user } = openApp('/credits');
    await user.click(await screen.findByRole('button', { name: 'Buy pack' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByRole('button', { name: 'Buy pack' })).toBeEnabled();
  });

  test('goes away when the pack is no longer sold', async () => {
    logInUser();
    const server = fakeServer({
      ...offered,
      buyPack: () => {
        throw apiFailure('billing.pack_not_offered');
      },
    });
    const { user } = openApp('/credits');
    const button = await screen.findByRole('button', { name: 'Buy pack' });
    server.use({ creditPacks: () => ({ data: { offer: null, packs: [] } }) });
    await user.click(button);
    await waitFor(() => expect(screen.queryByText(/^Pack of/)).not.toBeInTheDocument());
  });

  test.each([
    ['none is sold', () => ({ data: { offer: null, packs: [] } })],
    [
      'billing is away',
      () => {
        throw apiFailure('service.unavailable');
      },
    ],
  ])('is not there while %s; the credits are', async (_, creditPacks) => {
    logInUser();
    fakeServer({ creditPacks });
    openApp('/credits');
    expect(await screen.findByRole('heading', { name: 'Credits available' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Buy pack' })).not.toBeInTheDocument();
  });
});

describe('the page after the checkout of a pack', () => {
  test('confirms the payment, and says how many credits were added', async () => {
    const token = logInUser();
    const server = fakeServer({ confirmPack: () => ({ data: PACK }) });
    openApp('/credits/pack?xsl=cs_1');
    expect(await screen.findByRole('heading', { name: '250 credits added' })).toBeInTheDocument();
    expect(document.title).toBe('250 credits added · Shortlist');
    expect(screen.queryByText(/in this pack are paid for/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Credits & Usage' })).toHaveAttribute('href', '/credits');
    const [request] = server.requestsTo('confirmPack');
    expect([request?.body, request?.token]).toEqual([{ xsl: 'cs_1' }, token]);
  });

  test('says what is left when it is opened again after a refund', async () => {
    logInUser();
    fakeServer({ confirmPack: () => ({ data: { ...PACK, paidCredits: 184, state: 'partly_refunded' } }) });
    openApp('/credits/pack?xsl=cs_1');
    expect(await screen.findByText('184 of the 250 credits in this pack are paid for.')).toBeInTheDocument();
  });

  test('waits for a payment that Stripe reports some seconds later', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      confirmPack: () => {
        throw apiFailure('billing.pack_processing');
      },
    });
    openApp('/credits/pack?xsl=cs_1');
    await waitFor(() => expect(server.requestsTo('confirmPack')).toHaveLength(1));
    expect(screen.getByText("Don't close this tab. Your payment is processing")).toBeInTheDocument();
    server.use({ confirmPack: () => ({ data: PACK }) });
    await passUntil(() => screen.queryByText('250 credits added') !== null);
    expect(server.requestsTo('confirmPack')).toHaveLength(2);
  });

  test('says that a bank debit is on its way', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      confirmPack: () => {
        throw apiFailure('billing.pack_processing');
      },
    });
    openApp('/credits/pack?xsl=cs_1');
    await waitFor(() => expect(server.requestsTo('confirmPack')).toHaveLength(1));
    await passUntil(() => screen.queryByText('Your payment is on its way') !== null);
    expect(screen.getByText(/You do not need to pay again; your credits are added/)).toBeInTheDocument();
    expect(server.requestsTo('confirmPack')).toHaveLength(5);
  });

  test('can be retried while billing is away', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      confirmPack: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/credits/pack?xsl=cs_1');
    await passUntil(() => screen.queryByText('Your payment could not be confirmed yet') !== null);
    server.use({ confirmPack: () => ({ data: PACK }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await passUntil(() => screen.queryByText('250 credits added') !== null);
  });

  test.each([
    ['billing.not_paid', 'This payment did not go through.'],
    ['billing.checkout_not_found', 'We could not find this payment.'],
    ['request.invalid', 'We could not find this payment.'],
  ] as const)('shows %s as final', async (code, text) => {
    logInUser();
    fakeServer({
      confirmPack: () => {
        throw apiFailure(code);
      },
    });
    openApp('/credits/pack?xsl=cs_1');
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  test('claims nothing without a checkout', async () => {
    logInUser();
    const server = fakeServer();
    openApp('/credits/pack');
    expect(await screen.findByText(/^There is no payment to show here/)).toBeInTheDocument();
    expect(server.requestsTo('confirmPack')).toEqual([]);
  });

  test('asks a user whose session ended to log in, and claims nothing', async () => {
    const server = fakeServer();
    openApp('/credits/pack?xsl=cs_1');
    expect(await screen.findByText('Sign in to see your payment')).toBeInTheDocument();
    expect(server.requestsTo('confirmPack')).toEqual([]);
  });

  test('requests nothing more once it is left', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      confirmPack: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/credits/pack?xsl=cs_1');
    await waitFor(() => expect(server.requestsTo('confirmPack')).toHaveLength(1));
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(server.requestsTo('confirmPack')).toHaveLength(1);
  });
});
