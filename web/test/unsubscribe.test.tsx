import type { UserView } from '@shortlist/contracts/api/profile';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { premiumUser, subscriptionOf, userView } from './fixtures.ts';
import { fill, logInAdmin, openApp } from './render-app.tsx';

const ENDS_ON = 'Dec 20, 2026';

const openDialog = async (person: UserView = premiumUser()) => {
  logInAdmin();
  const server = fakeServer({ getUser: () => ({ data: person }) });
  const { user } = openApp(`/admin/edit-user?user_id=${person.id}`);
  await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
  const dialog = await screen.findByRole('dialog', { name: 'Unsubscribe Amara Okafor?' });
  return { server, user, dialog: within(dialog) };
};

describe('Unsubscribe', () => {
  test('changes nothing before it is confirmed, and Keep Premium closes the dialog', async () => {
    const { server, user, dialog } = await openDialog();
    expect(dialog.getByRole('button', { name: 'Keep Premium' })).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Keep Premium' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(server.requestsTo('revokePlan')).toHaveLength(0);
  });

  test('now makes the user free; the button is busy meanwhile', async () => {
    const { server, user, dialog } = await openDialog();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use({
      revokePlan: async () => {
        await promise;
        server.use({ getUser: () => ({ data: userView() }) });
        return { message: 'unsubscribed', data: userView() };
      },
    });
    expect(
      dialog.getByRole('radio', { name: /^Now They lose Premium and its unused credits/ }),
    ).toBeChecked();
    await user.click(dialog.getByRole('button', { name: 'End Premium now' }));
    const button = screen.getByRole('button', { name: 'Unsubscribe', hidden: true });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAttribute('aria-busy', 'true');
    resolve();
    expect(await screen.findByText('User has been unsubscribed and is now Free.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Make Him A Premium User' })).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    const [request] = server.requestsTo('revokePlan');
    expect(request?.params['userId']).toBe(userView().id);
    expect(request?.body).toEqual({});
  });

  test('at the end of the period keeps the user premium until then and sends the reason', async () => {
    const { server, user, dialog } = await openDialog();
    const ending = premiumUser({ subscription: subscriptionOf('ends') });
    server.use({
      revokePlan: () => {
        server.use({ getUser: () => ({ data: ending }) });
        return { message: 'ends at period end', data: ending };
      },
    });
    await user.click(dialog.getByRole('radio', { name: new RegExp(`^On ${ENDS_ON}`) }));
    await fill(user, dialog.getByLabelText(/^Reason/), '  Team closed ');
    await user.click(dialog.getByRole('button', { name: `End on ${ENDS_ON}` }));
    expect(
      await screen.findByText(
        `Amara Okafor keeps Premium until ${ENDS_ON}. The subscription does not renew.`,
      ),
    ).toBeInTheDocument();
    expect(
      await screen.findByText(`Premium until ${ENDS_ON}. The subscription no longer renews.`),
    ).toBeInTheDocument();
    expect(server.requestsTo('revokePlan')[0]?.body).toEqual({ when: 'period_end', reason: 'Team closed' });
  });

  test('keeps the dialog and its input after a failure', async () => {
    const { server, user, dialog } = await openDialog();
    server.use({
      revokePlan: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    await fill(user, dialog.getByLabelText(/^Reason/), 'Team closed');
    await user.click(dialog.getByRole('radio', { name: /^On/ }));
    await user.click(dialog.getByRole('button', { name: /^End on/ }));
    expect(await dialog.findByText('Failed to unsubscribe user.')).toBeInTheDocument();
    expect(dialog.getByLabelText(/^Reason/)).toHaveValue('Team closed');
    server.use({
      revokePlan: () => {
        throw apiFailure('billing.period_not_paid');
      },
    });
    await user.click(dialog.getByRole('button', { name: /^End on/ }));
    expect(await dialog.findByText(/there is no paid period to wait for/)).toBeInTheDocument();
  });

  test.each([
    ['granted', `An admin granted this plan, and it ends on ${ENDS_ON}.`],
    ['ends', `This plan does not renew and ends on ${ENDS_ON}.`],
    ['collecting', 'The last renewal has not been paid yet.'],
  ] as const)('offers no later time for a plan that is %s', async (continuation, text) => {
    const { dialog } = await openDialog(premiumUser({ subscription: subscriptionOf(continuation) }));
    expect(dialog.queryByRole('radio')).not.toBeInTheDocument();
    expect(dialog.getByText((content) => content.startsWith(text))).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'End Premium now' })).toBeInTheDocument();
  });
});

describe('the link to the payment provider', () => {
  const CUSTOMER = 'https://provider.test/customers/cus_1';

  test('leads to the customer', async () => {
    logInAdmin();
    fakeServer({ getUser: () => ({ data: premiumUser() }) });
    openApp(`/admin/edit-user?user_id=${premiumUser().id}`);
    const link = await screen.findByRole('link', { name: /^View customer in Stripe/ });
    expect(link).toHaveAttribute('href', CUSTOMER);
  });

  test('is missing for a user who never began to pay', async () => {
    logInAdmin();
    fakeServer({ getUser: () => ({ data: userView() }) });
    openApp(`/admin/edit-user?user_id=${userView().id}`);
    await screen.findByRole('button', { name: 'Make Him A Premium User' });
    expect(screen.queryByRole('link', { name: /Stripe/ })).not.toBeInTheDocument();
  });

  test('leads to the customer on Manage Subscription', async () => {
    logInAdmin();
    fakeServer({ getUser: () => ({ data: premiumUser() }) });
    openApp(`/admin/subscription-management?user_id=${premiumUser().id}`);
    await screen.findByText(/amara@talentfield.io/);
    expect(screen.getByRole('link', { name: /^Open the provider’s dashboard/ })).toHaveAttribute(
      'href',
      CUSTOMER,
    );
  });
});
