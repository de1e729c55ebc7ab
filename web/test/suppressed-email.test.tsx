import type { OwnEmail, Suppression } from '@shortlist/contracts/api/email';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { ownEmail, accountStatusOf, userView } from './fixtures.ts';
import { address, logInAdmin, logInUser, openApp } from './render-app.tsx';

const USER = userView();
const REASON = '550 5.1.1 Recipient address rejected: User unknown';
const bounced = (change: Partial<Suppression> = {}): Suppression => ({
  email: USER.email,
  kind: 'bounced',
  reason: REASON,
  at: '2026-11-20T09:41:00.000Z',
  ...change,
});

describe('the bar of an address to which nothing is sent', () => {
  const open = (change: Partial<OwnEmail>, path = '/') => {
    logInUser();
    let data = ownEmail(change);
    const server = fakeServer({
      email: () => ({ data }),
      retryEmail: () => {
        data = { ...data, suppression: null };
        return { message: 'requested' };
      },
    });
    return { server, ...openApp(path) };
  };

  test('says that mails come back, has one tried again, and is gone then', async () => {
    const { server, user } = open({ suppression: { email: USER.email, kind: 'bounced' } });
    const text = await screen.findByText('Our emails to', { exact: false });
    expect(text).toHaveTextContent(`Our emails to ${USER.email} cannot be delivered.`);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(`An email is on its way to ${USER.email}.`)).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByText('Our emails to', { exact: false })).not.toBeInTheDocument(),
    );
    expect(server.requestsTo('retryEmail')).toHaveLength(1);
  });

  test('leads to the change of the address', async () => {
    const { user } = open({ suppression: { email: USER.email, kind: 'bounced' } });
    await user.click(await screen.findByRole('link', { name: 'Change email' }));
    await waitFor(() => expect(address()).toBe('/security'));
    expect(await screen.findByRole('dialog', { name: 'Change your email' })).toBeVisible();
  });

  test('says which mails still come after a complaint', async () => {
    open({ suppression: { email: USER.email, kind: 'complained' } });
    expect(await screen.findByText(/you only get emails that protect your account/)).toBeVisible();
    expect(screen.getByText('was reported as spam', { exact: false })).toBeVisible();
  });

  test('takes the place of that of an unconfirmed address, with the day of its end', async () => {
    open({
      isVerified: false,
      confirmBy: '2026-12-03T09:41:00.000Z',
      pendingEmail: 'new@talentfield.io',
      suppression: { email: 'new@talentfield.io', kind: 'bounced' },
    });
    expect(await screen.findByText('new@talentfield.io')).toBeVisible();
    expect(screen.getByText(/account will be deleted on Dec 3, 2026/)).toBeVisible();
    expect(screen.queryByText('Confirm your email.')).not.toBeInTheDocument();
    expect(screen.getAllByText(/cannot be delivered/)).toHaveLength(1);
  });

  test('says why an address cannot be tried again, and stays', async () => {
    const { server, user } = open({ suppression: { email: USER.email, kind: 'bounced' } });
    server.use({
      retryEmail: () => {
        throw apiFailure('worker.suppression_kept');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/Our email service is not responding/)).toBeVisible();
    expect(screen.getByText('Our emails to', { exact: false })).toBeVisible();
  });

  const REMEMBERED = `${USER.email}  new@talentfield.io true bounced new@talentfield.io`;

  test('is remembered', async () => {
    open({
      suppression: { email: 'new@talentfield.io', kind: 'bounced' },
      pendingEmail: 'new@talentfield.io',
    });
    await screen.findByText('new@talentfield.io');
    expect(localStorage.getItem('unconfirmedEmail')).toBe(REMEMBERED);
  });

  test('is part of the first paint once it is known', () => {
    logInUser();
    localStorage.setItem('unconfirmedEmail', REMEMBERED);
    fakeServer({ checkUser: () => new Promise(() => undefined), email: () => new Promise(() => undefined) });
    openApp('/');
    expect(screen.getByText('new@talentfield.io')).toBeVisible();
    expect(screen.getByText(/cannot be delivered/)).toBeVisible();
    expect(screen.queryByText('Confirm your email.')).not.toBeInTheDocument();
  });

  test('is forgotten when mails arrive again', async () => {
    localStorage.setItem('unconfirmedEmail', REMEMBERED);
    open({});
    await waitFor(() => expect(localStorage.getItem('unconfirmedEmail')).toBeNull());
    expect(screen.queryByText(/cannot be delivered/)).not.toBeInTheDocument();
  });

  test('is not there while mails arrive', async () => {
    const { server } = open({});
    await waitFor(() => expect(server.requestsTo('email')).not.toEqual([]));
    expect(screen.queryByText(/cannot be delivered|reported as spam/)).not.toBeInTheDocument();
  });
});

describe('support reads of a user to whom nothing is sent', () => {
  const open = (suppression: Suppression | null, role: 'support' | 'read_only' = 'support') => {
    logInAdmin();
    let found = suppression;
    const server = fakeServer({
      checkAdmin: () => ({ remainingTime: 3_600, role }),
      getUser: () => ({ data: USER }),
      accountStatus: () => ({ data: accountStatusOf(USER, { suppression: found }) }),
      retryUserEmail: () => {
        found = null;
        return { message: 'requested' };
      },
    });
    return { server, ...openApp(`/admin/edit-user?user_id=${USER.id}`) };
  };

  test('since when, and what the server of the mailbox said, and has it tried again', async () => {
    const { server, user } = open(bounced());
    const notice = await screen.findByText(/bounced on Nov 20, 2026/);
    expect(notice).toHaveTextContent(`An email to ${USER.email} bounced on Nov 20, 2026`);
    expect(notice).toHaveTextContent(`The server said: “${REASON}”`);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('We send emails there again.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/bounced on/)).not.toBeInTheDocument());
    expect(server.requestsTo('retryUserEmail').map(({ params }) => params)).toEqual([{ id: USER.id }]);
  });

  test('with a domain that people can read', async () => {
    open(bounced({ email: 'ana@xn--mnchen-3ya.test' }));
    expect(await screen.findByText(/An email to ana@münchen\.test bounced/)).toBeVisible();
  });

  test('without words of a server that said nothing, and of a complaint', async () => {
    open(bounced({ reason: '' }));
    expect(await screen.findByText(/bounced on Nov 20, 2026/)).not.toHaveTextContent('The server said');
  });

  test('a complaint', async () => {
    open(bounced({ kind: 'complained', reason: '' }));
    expect(await screen.findByText(/was reported as spam on Nov 20, 2026/)).toBeVisible();
  });

  test('without the way to try again for a role that may change nothing', async () => {
    open(bounced(), 'read_only');
    await screen.findByText(/bounced on Nov 20, 2026/);
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  test('why it cannot be tried again', async () => {
    const { server, user } = open(bounced());
    server.use({
      retryUserEmail: () => {
        throw apiFailure('worker.suppression_kept');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/so nothing was changed/)).toBeVisible();
  });
});

test('an owner reads which admins get no mail, and has it tried again', async () => {
  logInAdmin();
  const id = '0192f0c0-0000-7000-8000-00000000000b';
  const email = 'tomasz@shortlist.test';
  const member = {
    id,
    email,
    name: null,
    role: 'support',
    factor: 'totp',
    lastLogInAt: null,
    isSuspended: false,
  } as const;
  let suppressions = [bounced({ email })];
  const server = fakeServer({
    team: () => ({ data: { ownId: '', members: [member], invitations: [], suppressions } }),
    retryAdminEmail: () => {
      suppressions = [];
      return { message: 'requested' };
    },
  });
  const { user } = openApp('/admin/team');
  const line = within((await screen.findByText(email)).closest('tr') ?? document.body);
  expect(line.getByText(/bounced on Nov 20, 2026/)).toBeVisible();
  await user.click(line.getByRole('button', { name: `Try emails to ${email} again` }));
  expect(await screen.findByText(`We send emails to ${email} again.`)).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/bounced on/)).not.toBeInTheDocument());
  expect(server.requestsTo('retryAdminEmail').map(({ params }) => params)).toEqual([{ id }]);
});
