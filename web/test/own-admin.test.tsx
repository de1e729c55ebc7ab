import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { AlertView } from '@shortlist/contracts/api/billing';
import type { AdminView } from '@shortlist/contracts/api/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { address, fill, logInAdmin, openApp } from './render-app.tsx';

const ines = (name: string | null): AdminView => ({
  userId: '0192f0c0-0000-7000-8000-00000000000a',
  email: 'ines.carvalho@shortlist.test',
  name,
  role: 'owner',
});
const withRole = (role: AdminRole) => ({ checkAdmin: () => ({ remainingTime: 3_600, role }) });
const menu = () => screen.findByRole('button', { name: /Account menu/ });

describe('the top bar', () => {
  it.each([
    ['Inês Carvalho', 'owner', 'IC', 'Inês Carvalho Owner'],
    [null, 'support', 'IC', 'ines.carvalho@shortlist.test Support'],
    ['Ada', 'read_only', 'A', 'Ada Read-only'],
  ] as const)('has the name %s, the role %s and the initials of the admin', async (...expected) => {
    const [name, role, initials, text] = expected;
    fakeServer({ ...withRole(role), ownAdmin: () => ({ data: ines(name) }) });
    logInAdmin();
    openApp('/admin/security');
    await waitFor(async () => expect(await menu()).toHaveTextContent(text));
    expect(within(await menu()).getByText(initials)).toBeInTheDocument();
  });
});

describe('the name of an admin', () => {
  it('is saved, and shows in the top bar', async () => {
    let admin = ines(null);
    const { requestsTo } = fakeServer({
      ownAdmin: () => ({ data: admin }),
      renameOwnAdmin: ({ body }) => {
        admin = ines(String(body['name']));
        return { data: admin };
      },
    });
    logInAdmin();
    const { user } = openApp('/admin/security');
    await fill(user, await screen.findByLabelText('Name'), ' Inês Carvalho');
    await user.click(screen.getByRole('button', { name: 'Save name' }));
    expect(await screen.findByText('Your name has been saved.')).toBeVisible();
    expect(requestsTo('renameOwnAdmin')[0]?.body).toEqual({ name: 'Inês Carvalho' });
    await waitFor(async () => expect(await menu()).toHaveTextContent('Inês Carvalho Owner'));
  });

  it('that is refused stays in the field, with the reason', async () => {
    fakeServer({
      renameOwnAdmin: () => {
        throw apiFailure('request.invalid', { name: 'Please enter your name' });
      },
    });
    logInAdmin();
    const { user } = openApp('/admin/security');
    await user.click(await screen.findByRole('button', { name: 'Save name' }));
    expect(await screen.findByText('Please enter your name')).toBeVisible();
  });
});

describe('the dashboard of support', () => {
  const alert: AlertView = {
    id: 'refund_failed:re_1',
    kind: 'refund_failed',
    userId: ines(null).userId,
    objectId: 're_1',
    amount: 5_900,
    currency: 'usd',
    detail: null,
    raisedAt: '2026-11-20T09:41:00.000Z',
    resolvedAt: null,
    note: null,
  };
  const open = (role: AdminRole) => {
    const resolved = {
      ...alert,
      id: 'dispute_lost:du_1',
      kind: 'dispute_lost',
      resolvedAt: alert.raisedAt,
    } as const;
    const server = fakeServer({
      ...withRole(role),
      system: () => ({
        data: { version: '1.2.3', stripe: { checkedAt: null, checks: [] }, alerts: [alert, resolved] },
      }),
    });
    logInAdmin();
    return { ...server, ...openApp('/admin/') };
  };

  it('finds a user', async () => {
    const { user } = open('support');
    await fill(user, await screen.findByRole('searchbox'), ' ada labs ');
    await user.click(screen.getByRole('button', { name: 'Find' }));
    await waitFor(() => expect(address()).toBe('/admin/user-list?search=ada+labs'));
  });

  it('has the open alerts, with their users', async () => {
    open('support');
    expect(await screen.findByText('Refund failed at the bank, $59.00')).toBeVisible();
    expect(screen.queryByText(/Dispute lost/)).toBeNull();
    expect(screen.getByRole('link', { name: 'View the user' })).toHaveAttribute(
      'href',
      `/admin/user-details?user_id=${alert.userId}`,
    );
  });

  it('has them in place of the earnings, which the other roles see', async () => {
    const { requestsTo } = open('finance');
    expect(await screen.findByRole('heading', { name: 'New Users' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Find a user' })).toBeNull();
    expect(requestsTo('system')).toEqual([]);
  });
});
