import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { AdminInvitation, ReachableTeam, TeamMember } from '@shortlist/contracts/api/team';
import { describe, expect, it } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { fill, logInAdmin, openApp } from './render-app.tsx';

const INES = '0192f0c0-0000-7000-8000-00000000000a';
const TOMASZ = '0192f0c0-0000-7000-8000-00000000000b';
const INVITATION = '0192f0c0-0000-7000-8000-00000000000c';
const tomasz: TeamMember = {
  id: TOMASZ,
  email: 'tomasz@shortlist.test',
  name: null,
  role: 'support',
  factor: 'totp',
  lastLogInAt: '2026-11-20T08:14:00.000Z',
  isSuspended: false,
};
const team = (change: Partial<ReachableTeam> = {}): ReachableTeam => ({
  ownId: INES,
  members: [
    {
      ...tomasz,
      id: INES,
      email: 'ines@shortlist.test',
      name: 'Inês Carvalho',
      role: 'owner',
      factor: 'passkey',
    },
    tomasz,
  ],
  invitations: [],
  suppressions: [],
  ...change,
});
const MARTIJN: AdminInvitation = {
  id: INVITATION,
  email: 'martijn@shortlist.test',
  role: 'finance',
  invitedBy: 'ines@shortlist.test',
  expiresAt: '2026-11-24T08:14:00.000Z',
  isExpired: false,
};

const openTeam = (handlers: Parameters<typeof fakeServer>[0] = {}) => {
  const server = fakeServer({ team: () => ({ data: team() }), ...handlers });
  logInAdmin();
  return { ...server, ...openApp('/admin/team') };
};
const lineOf = async (email: string) =>
  within((await screen.findByText(email)).closest('tr') ?? document.body);

describe('D6 the team page', () => {
  it('shows each admin; the own line has no actions', async () => {
    openTeam();
    const ownLine = await lineOf('ines@shortlist.test');
    expect(ownLine.getByText('(you)')).toBeVisible();
    expect(ownLine.getByText('Inês Carvalho')).toBeVisible();
    expect(ownLine.getByText('IC')).toBeInTheDocument();
    expect(ownLine.queryByRole('button')).toBeNull();
    expect(ownLine.queryByRole('combobox')).toBeNull();
    const other = await lineOf('tomasz@shortlist.test');
    expect(other.getByText('Authenticator')).toBeVisible();
    expect(other.getByRole('combobox')).toHaveValue('support');
  });

  it('shows what each role may do, also in the accounts and credits of users', async () => {
    openTeam();
    const rightsOf = async (name: string) =>
      within((await screen.findByText(name)).closest('tr') as HTMLElement)
        .getAllByRole('cell')
        .slice(1)
        .map(({ textContent }) => textContent);
    const support = ['Yes', 'Yes', 'No', 'No'].map((answer) => expect.stringContaining(answer) as string);
    expect(await rightsOf('View as a user')).toEqual(support);
    expect(await rightsOf('Give and take back credits')).toEqual(support);
  });

  it('invites with a role, and shows the refusal at the address', async () => {
    let isTaken = true;
    const { user, requestsTo } = openTeam({
      inviteAdmin: () => {
        if (isTaken) throw apiFailure('identity.email_taken', { email: 'Email Exists!' });
        return { data: MARTIJN };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Invite admin' }));
    await fill(user, screen.getByLabelText('Work email'), MARTIJN.email);
    await user.click(screen.getByRole('radio', { name: /Finance/ }));
    await user.click(screen.getByRole('button', { name: 'Send invitation' }));
    expect(await screen.findByText('Email Exists!')).toBeVisible();
    isTaken = false;
    await user.click(screen.getByRole('button', { name: 'Send invitation' }));
    expect(await screen.findByText(`Invitation sent to ${MARTIJN.email}`)).toBeVisible();
    expect(requestsTo('inviteAdmin').at(-1)?.body).toEqual({ email: MARTIJN.email, role: 'finance' });
  });

  it('withdraws an invitation', async () => {
    const { user, use, requestsTo } = openTeam({ team: () => ({ data: team({ invitations: [MARTIJN] }) }) });
    expect(await screen.findByText(/Invited by ines@shortlist.test, open until Nov 24, 2026/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: `Withdraw the invitation of ${MARTIJN.email}` }));
    use({ team: () => ({ data: team() }), cancelInvitation: () => ({ message: 'withdrawn' }) });
    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    await screen.findByText('tomasz@shortlist.test');
    expect(requestsTo('cancelInvitation')[0]?.params).toEqual({ id: INVITATION });
  });

  it('changes a role after it was confirmed', async () => {
    const { user, requestsTo } = openTeam({ changeAdminRole: () => ({ message: 'changed' }) });
    const other = await lineOf('tomasz@shortlist.test');
    await user.selectOptions(other.getByRole('combobox'), 'Read-only');
    expect(requestsTo('changeAdminRole')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Change role' }));
    expect(requestsTo('changeAdminRole')[0]?.body).toEqual({ role: 'read_only' });
  });

  it('suspends with a reason, and says why not', async () => {
    const { user, requestsTo } = openTeam({
      suspendAdmin: () => {
        throw apiFailure('identity.own_access');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Suspend tomasz@shortlist.test' }));
    await fill(user, screen.getByLabelText('Reason'), 'On leave');
    await user.click(screen.getByRole('button', { name: 'Suspend' }));
    expect(await screen.findByText(/You cannot change your own access/)).toBeVisible();
    expect(requestsTo('suspendAdmin')[0]?.body).toEqual({ reason: 'On leave' });
  });

  it('offers to restore a suspended admin', async () => {
    openTeam({ team: () => ({ data: team({ members: [{ ...tomasz, isSuspended: true }] }) }) });
    expect(await screen.findByRole('button', { name: 'Restore tomasz@shortlist.test' })).toBeVisible();
    expect(screen.getByText('Suspended')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Suspend tomasz@shortlist.test' })).toBeNull();
  });
});

describe('D6 the page of an invitation', () => {
  const openInvitation = async (handlers: Parameters<typeof fakeServer>[0] = {}) => {
    const server = fakeServer({
      checkInvitation: () => ({ data: { email: MARTIJN.email, role: 'finance' } }),
      acceptInvitation: () => ({ data: { email: MARTIJN.email } }),
      ...handlers,
    });
    const app = openApp(`/admin/accept-invitation#token=${'t'.repeat(43)}`);
    expect(await screen.findByText(MARTIJN.email)).toBeVisible();
    return { ...server, ...app };
  };
  const choosePassword = async (user: UserEvent, password = 'open sesame'): Promise<void> => {
    await fill(user, screen.getByLabelText('Password'), password);
    await fill(user, screen.getByLabelText('Repeat password'), password);
  };
  const create = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create my account' }));

  it('creates the account with a name, and leads to the log-in', async () => {
    const { user, requestsTo } = await openInvitation();
    await fill(user, screen.getByLabelText('Name'), 'Martijn de Vries');
    await choosePassword(user);
    await create(user);
    expect(await screen.findByRole('heading', { name: 'Your account is ready' })).toBeVisible();
    expect(requestsTo('acceptInvitation')[0]?.body).toEqual({
      token: 't'.repeat(43),
      name: 'Martijn de Vries',
      password: 'open sesame',
    });
    expect(window.location.hash).toBe('');
  });

  it('requires a name, and sends nothing without one', async () => {
    const { user, requestsTo } = await openInvitation();
    await choosePassword(user);
    await create(user);
    expect(await screen.findByText('Please enter your name')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveFocus();
    expect(requestsTo('acceptInvitation')).toEqual([]);
  });

  it('calls a password weak that is the name', async () => {
    const { user } = await openInvitation();
    await fill(user, screen.getByLabelText('Name'), 'Martijn de Vries');
    await choosePassword(user, 'Martijn');
    expect(await screen.findByText(/cannot be your email or your name/)).toBeVisible();
  });

  it('shows a refusal of the name at its field', async () => {
    const { user } = await openInvitation({
      acceptInvitation: () => {
        throw apiFailure('request.invalid', { name: 'Please use visible characters only' });
      },
    });
    await fill(user, screen.getByLabelText('Name'), 'Martijn');
    await choosePassword(user);
    await create(user);
    expect(await screen.findByText('Please use visible characters only')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveFocus();
    expect(screen.queryByText('Please check the highlighted fields.')).toBeNull();
  });

  it('says that an invitation has ended', async () => {
    fakeServer({
      checkInvitation: () => {
        throw apiFailure('identity.link_ended');
      },
    });
    openApp(`/admin/accept-invitation#token=${'u'.repeat(43)}`);
    expect(await screen.findByRole('heading', { name: 'This invitation no longer works' })).toBeVisible();
  });
});
