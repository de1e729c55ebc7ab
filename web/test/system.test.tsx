import { screen, waitFor, within } from '@testing-library/react';
import { minutes } from '@shortlist/contracts/durations';
import {
  type AlertView,
  STRIPE_CHECKS,
  type StripeCheck,
  type SystemView,
} from '@shortlist/contracts/api/billing';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { fill, logInAdmin, openApp } from './render-app.tsx';

const checks = (ok: boolean | null): StripeCheck[] =>
  STRIPE_CHECKS.map((name) => ({ name, ok, detail: `About ${name}.` }));

const alert = (overrides: Partial<AlertView> = {}): AlertView => ({
  id: 'dispute_opened:du_1',
  kind: 'dispute_opened',
  userId: '0192f0c0-0000-7000-8000-000000000001',
  objectId: 'du_1',
  amount: 5_900,
  currency: 'usd',
  detail: 'Reason: fraudulent.',
  raisedAt: '2026-11-20T09:41:00.000Z',
  resolvedAt: null,
  note: null,
  ...overrides,
});

const right = (): SystemView => ({
  version: '1.2.3',
  stripe: { checkedAt: new Date().toISOString(), checks: checks(true) },
  alerts: [],
});

const open = (system: SystemView) => {
  logInAdmin();
  const server = fakeServer({ system: () => ({ data: system }) });
  return { server, ...openApp('/admin/system') };
};

const rowsOf = async (title: string): Promise<HTMLElement[]> => {
  const panel = (await screen.findByRole('heading', { name: title })).closest('section');
  return within(panel as HTMLElement).getAllByRole('listitem');
};

describe('the System screen', () => {
  test('says that everything is right', async () => {
    open(right());
    expect(
      await screen.findByText('Every service is running, and nothing needs attention.'),
    ).toBeInTheDocument();
    expect(screen.getByText('There are no alerts.')).toBeInTheDocument();
    const rows = await rowsOf('Payment settings');
    expect(rows.map((row) => row.textContent)).toEqual([
      'Plan priceAbout price.OK',
      'Yearly priceAbout yearly_price.OK',
      'Pack priceAbout pack_price.OK',
      'Billing portalAbout portal.OK',
      'Customer searchAbout customer_search.OK',
      'Webhook endpointAbout webhook.OK',
      'Webhook eventsAbout webhook_events.OK',
      'API versionAbout api_version.OK',
    ]);
  });

  test('states the version of the product', async () => {
    open(right());
    expect(await screen.findByText('Version 1.2.3')).toBeInTheDocument();
  });

  test('is reached from the group Operations of the sidebar', async () => {
    open(right());
    const sidebar = await screen.findByRole('navigation', { name: 'Admin-Panel' });
    expect(within(sidebar).getByRole('heading', { name: 'Operations' })).toBeInTheDocument();
    expect(within(sidebar).getByRole('link', { name: 'System' })).toHaveAttribute('aria-current', 'page');
  });

  test('lists what is wrong first', async () => {
    const system = right();
    const results: Partial<Record<StripeCheck['name'], boolean | null>> = { price: null, portal: false };
    system.stripe.checks = checks(true).map((check) => ({
      ...check,
      ok: check.name in results ? (results[check.name] ?? null) : check.ok,
    }));
    open(system);
    expect(await screen.findByText('There is 1 problem in the payment settings.')).toBeInTheDocument();
    const [first, second] = await rowsOf('Payment settings');
    expect(first).toHaveTextContent('Billing portalAbout portal.Needs attention');
    expect(second).toHaveTextContent('Plan priceAbout price.Unknown');
  });

  test('an outdated result is never shown as right', async () => {
    const system = right();
    system.stripe.checkedAt = new Date(Date.now() - minutes(16)).toISOString();
    open(system);
    const rows = await rowsOf('Payment settings');
    for (const row of rows) expect(row).toHaveTextContent(/Not checked since/);
    expect(screen.getByText(/could not be checked/)).toBeInTheDocument();
    expect(screen.queryByText('OK')).not.toBeInTheDocument();
  });

  test('a set-up that was never checked says so', async () => {
    open({ ...right(), stripe: { checkedAt: null, checks: checks(null) } });
    expect((await rowsOf('Payment settings'))[0]).toHaveTextContent('Not checked yet');
  });

  test('an alert is marked as resolved', async () => {
    const { server, user } = open({ ...right(), alerts: [alert()] });
    expect(await screen.findByText('There is 1 open alert.')).toBeInTheDocument();
    const [row] = await rowsOf('Alerts');
    expect(row).toHaveTextContent('Payment disputed, $59.00');
    expect(row).toHaveTextContent('Reason: fraudulent.');
    const resolved = alert({ resolvedAt: '2026-11-20T10:00:00.000Z', note: 'Evidence sent' });
    server.use({
      resolveAlert: () => ({ data: resolved }),
      system: () => ({ data: { ...right(), alerts: [resolved] } }),
    });
    await user.click(screen.getByRole('button', { name: 'Mark as resolved: Payment disputed' }));
    await fill(user, screen.getByLabelText('Note'), 'Evidence sent ');
    await user.click(screen.getByRole('button', { name: 'Mark as resolved' }));
    expect(await screen.findByText(/^Resolved Nov 20/)).toBeInTheDocument();
    expect(screen.getByText('Evidence sent')).toBeVisible();
    expect(server.requestsTo('resolveAlert')[0]).toMatchObject({
      params: { alertId: encodeURIComponent('dispute_opened:du_1') },
      body: { note: 'Evidence sent' },
    });
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  test('a resolved alert is opened again, and says why', async () => {
    const resolved = alert({ resolvedAt: '2026-11-20T10:00:00.000Z', note: 'Evidence sent' });
    const { server, user } = open({ ...right(), alerts: [resolved] });
    const reopened = alert({ note: 'The bank wants more' });
    const button = await screen.findByRole('button', { name: 'Reopen: Payment disputed' });
    server.use({
      reopenAlert: () => ({ data: reopened }),
      system: () => ({ data: { ...right(), alerts: [reopened] } }),
    });
    await user.click(button);
    await fill(user, screen.getByLabelText('Note'), 'The bank wants more');
    await user.click(screen.getByRole('button', { name: 'Reopen' }));
    expect(await screen.findByText('Reopened: The bank wants more')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Mark as resolved: Payment disputed' })).toBeVisible();
  });

  test('the second of two admins gets the reason, keeps the note, and sees the alert as it is now', async () => {
    const { server, user } = open({ ...right(), alerts: [alert()] });
    const resolved = alert({ resolvedAt: '2026-11-20T10:00:00.000Z', note: 'Evidence sent' });
    const button = await screen.findByRole('button', { name: 'Mark as resolved: Payment disputed' });
    server.use({
      resolveAlert: () => {
        throw apiFailure('billing.alert_resolved');
      },
      system: () => ({ data: { ...right(), alerts: [resolved] } }),
    });
    await user.click(button);
    await fill(user, screen.getByLabelText('Note'), 'Mine');
    await user.click(screen.getByRole('button', { name: 'Mark as resolved' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This alert was resolved in the meantime.');
    expect(await screen.findByText('Evidence sent')).toBeInTheDocument();
    expect(screen.getByLabelText('Note')).toHaveValue('Mine');
  });

  test('a failure to resolve keeps the alert and says why', async () => {
    const { server, user } = open({
      ...right(),
      alerts: [alert({ userId: null, amount: null, currency: null })],
    });
    server.use({
      resolveAlert: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(await screen.findByRole('button', { name: /Mark as resolved:/ }));
    await user.click(screen.getByRole('button', { name: 'Mark as resolved' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Nothing was lost. Please try again in a moment.',
    );
    expect(screen.queryByRole('link', { name: 'View the user' })).not.toBeInTheDocument();
  });

  test('a failed load offers a retry', async () => {
    logInAdmin();
    const server = fakeServer({
      system: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/admin/system');
    expect(await screen.findByText('The system status could not be loaded')).toBeInTheDocument();
    server.use({ system: () => ({ data: right() }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getByText('There are no alerts.')).toBeInTheDocument());
  });
});
