import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fakeServer, apiFailure, unreachable } from './fake-server.ts';
import { premiumUser, userView } from './fixtures.ts';
import { holdTime, passUntil } from './hold-time.ts';
import { address, fill, logInUser, openApp } from './render-app.tsx';

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };
const paid = () => ({ message: 'paid', data: premiumUser() });

type User = ReturnType<typeof openApp>['user'];

const logIn = async (user: User): Promise<void> => {
  await fill(user, await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await fill(user, screen.getByLabelText('Password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Log In' }));
};

const logOut = async (user: User): Promise<void> => {
  await user.click(await screen.findByRole('button', { name: /Account menu$/ }));
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }));
};

/** The user who may have paid is shown, without a plan. */
const expectNotFree = async (): Promise<void> => {
  expect(await screen.findByRole('button', { name: /^Amara Okafor\s+Account menu$/ })).toBeInTheDocument();
  expect(screen.queryByText('Free User')).not.toBeInTheDocument();
};

describe('the confirmation of a payment', () => {
  test('shows the processing state, then congratulations, and the result after one second', async () => {
    holdTime();
    const token = logInUser();
    let respond = (): void => undefined;
    const server = fakeServer({
      confirmPayment: () =>
        new Promise((resolve) => {
          respond = () => resolve({ message: 'paid', data: premiumUser() });
        }),
    });
    openApp('/payments/success?xsl=cs_1');
    expect(await screen.findByText("Don't close this tab. Your payment is processing")).toBeInTheDocument();
    await waitFor(() => expect(server.requestsTo('confirmPayment')).toHaveLength(1));
    server.use(premium);
    await act(async () => {
      respond();
      await vi.advanceTimersByTimeAsync(50);
    });
    expect(await screen.findByRole('heading', { name: 'Congratulations!' })).toBeInTheDocument();
    expect(document.title).toBe('Congratulations! · Shortlist');
    expect(screen.queryByText('Thank you for your purchase')).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_200));
    expect(screen.getByText('Thank you for your purchase')).toBeInTheDocument();
    expect(screen.getByText('Your payment has been processed successfully.')).toBeInTheDocument();
    expect(screen.getByText('Nov 20, 2026, 9:41 AM')).toBeInTheDocument();
    expect(screen.getByText('Dec 20, 2026, 9:41 AM')).toBeInTheDocument();
    expect(
      screen.getByText('Now you can enjoy all the premium features of our Chrome Extension'),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go To Home' })).toHaveAttribute('href', '/');
    const [request] = server.requestsTo('confirmPayment');
    expect(request?.body).toMatchObject({ xsl: 'cs_1', user: { id: userView().id } });
    expect(request?.token).toBe(token);
    expect(screen.getByText('Premium User')).toBeInTheDocument();
    expect(sessionStorage.getItem('pendingPayment')).toBeNull();
  });

  test('is retried while billing is unreachable', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      confirmPayment: () => {
        throw unreachable();
      },
    });
    openApp('/payments/success?xsl=cs_1');
    await waitFor(() => expect(server.requestsTo('confirmPayment')).toHaveLength(1));
    server.use({ ...premium, confirmPayment: paid });
    await passUntil(() => screen.queryByText('Thank you for your purchase') !== null);
    expect(server.requestsTo('confirmPayment')).toHaveLength(2);
  });

  test('can be retried by the user after the automatic retries', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      confirmPayment: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/payments/success?xsl=cs_1');
    await waitFor(() => expect(server.requestsTo('confirmPayment')).toHaveLength(1));
    await passUntil(() => screen.queryByText('Your payment could not be confirmed yet') !== null);
    expect(server.requestsTo('confirmPayment')).toHaveLength(5);
    expect(screen.queryByText(/charged/)).not.toBeInTheDocument();
    server.use({ ...premium, confirmPayment: paid });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await passUntil(() => screen.queryByText('Thank you for your purchase') !== null);
  });

  test.each([
    ['billing.not_paid', 'This payment did not go through.'],
    ['billing.checkout_not_found', 'We could not find this payment.'],
    ['request.invalid', 'We could not find this payment.'],
  ] as const)('shows %s as final, without a Retry and with a link to the plan', async (code, text) => {
    logInUser();
    fakeServer({
      confirmPayment: () => {
        throw apiFailure(code);
      },
    });
    openApp('/payments/success?xsl=cs_1');
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByText('Your payment could not be confirmed')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Subscription Status' })).toHaveAttribute(
      'href',
      '/payments',
    );
  });
});

describe('an address that names no payment', () => {
  test.each(['/payments/success', '/payments/success?xsl='])('%s sends no confirmation', async (path) => {
    logInUser();
    const server = fakeServer();
    openApp(path);
    expect(await screen.findByText(/There is no payment to show here/)).toBeInTheDocument();
    expect(await screen.findByText('Free User')).toBeInTheDocument();
    expect(server.requestsTo('confirmPayment')).toHaveLength(0);
  });

  test.each(['request.invalid', 'billing.checkout_not_found', 'request.cross_site'] as const)(
    'shows the user as Free at once when it is refused with %s',
    async (code) => {
      holdTime();
      logInUser();
      let respond = (): void => undefined;
      fakeServer({
        confirmPayment: () =>
          new Promise((_resolve, reject) => {
            respond = () => reject(apiFailure(code));
          }),
      });
      openApp('/payments/success?xsl=cs_made_up');
      await expectNotFree();
      // A request that the cross-site check refuses is sent once more with fresh cookies.
      for (let attempt = 0; attempt < 2; attempt += 1) await act(() => Promise.resolve(respond()));
      expect(await screen.findByText('Free User')).toBeInTheDocument();
    },
  );

  test('shows the user as Free when it is refused after the page was left', async () => {
    holdTime();
    logInUser();
    let respond = (): void => undefined;
    fakeServer({
      confirmPayment: () =>
        new Promise((_resolve, reject) => {
          respond = () => reject(apiFailure('billing.checkout_not_found'));
        }),
    });
    const { user } = openApp('/payments/success?xsl=cs_made_up');
    await expectNotFree();
    await user.click(screen.getByRole('link', { name: 'Credits & Usage' }));
    await screen.findByRole('heading', { name: 'Your Credits and Usage' });
    await act(() => Promise.resolve(respond()));
    expect(await screen.findByText('Free User')).toBeInTheDocument();
  });

  test('does not show the next user in the same tab as pending', async () => {
    logInUser();
    const next = userView({ id: '0192f0c0-0000-7000-8000-000000000002', firstName: 'Tomás' });
    const server = fakeServer({
      confirmPayment: () => {
        throw unreachable();
      },
      login: () => ({ message: 'login', data: { token: 'next', user: next, remainingTime: 3_600 } }),
    });
    const { user } = openApp('/payments/success?xsl=cs_1');
    await expectNotFree();
    await logOut(user);
    server.use({ checkUser: () => ({ remainingTime: 3_600, user: next }) });
    await logIn(user);
    expect(await screen.findByRole('button', { name: /^Tomás Okafor .*Account menu$/ })).toBeInTheDocument();
    expect(await screen.findByText('Free User')).toBeInTheDocument();
  });
});

describe('S3: the success page without a session', () => {
  test('claims and sends nothing, and confirms the payment with its xsl after the log-in', async () => {
    const server = fakeServer({
      login: () => ({
        message: 'login',
        data: { token: 'paid-for', user: userView(), remainingTime: 3_600 },
      }),
      confirmPayment: paid,
    });
    const { user } = openApp('/payments/success?xsl=cs_kept');
    expect(await screen.findByRole('heading', { name: 'Sign in to see your payment' })).toBeInTheDocument();
    expect(
      screen.getByText('Your session ended while you were away. After you sign in, you return to this page.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(/received/)).not.toBeInTheDocument();
    expect(server.requestsTo('confirmPayment')).toHaveLength(0);
    expect(sessionStorage.getItem('pendingPayment')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Log In' }));
    await logIn(user);
    expect(await screen.findByText('Thank you for your purchase')).toBeInTheDocument();
    expect(address()).toBe('/payments/success?xsl=cs_kept');
    expect(server.requestsTo('confirmPayment')[0]?.body['xsl']).toBe('cs_kept');
  });

  test('reports a session that the server ends during the confirmation', async () => {
    logInUser();
    fakeServer({
      confirmPayment: () => {
        throw apiFailure('session.missing');
      },
    });
    openApp('/payments/success?xsl=cs_1');
    expect(await screen.findByRole('heading', { name: 'Sign in to see your payment' })).toBeInTheDocument();
  });

  test.each(['/payments/success?xsl=cs_1', '/payments/cancel'])(
    'a log-out on %s leads to the login, which does not return to that page',
    async (path) => {
      logInUser();
      fakeServer({
        confirmPayment: () => {
          throw apiFailure('billing.checkout_not_found');
        },
        login: () => ({
          message: 'login',
          data: { token: `after ${path}`, user: userView(), remainingTime: 3_600 },
        }),
      });
      const { user } = openApp(path);
      await logOut(user);
      expect(await screen.findByRole('heading', { name: 'Log In' })).toBeInTheDocument();
      expect(address()).toBe('/login');
      await logIn(user);
      expect(await screen.findByRole('heading', { name: 'Account Management Panel' })).toBeInTheDocument();
    },
  );
});
