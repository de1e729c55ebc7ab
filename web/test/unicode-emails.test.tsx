import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { directoryRow, userView } from './fixtures.ts';
import { fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const STORED = 'ana@xn--mnchen-3ya.test';
const SHOWN = 'ana@münchen.test';
const ADMIN = '0192f0c0-0000-7000-8000-00000000000a';
const TOKEN = 'A'.repeat(43);

const person = userView({ email: STORED });
const row = directoryRow(1, { email: STORED });
const admin = { email: STORED, name: null, role: 'owner' } as const;
const member = { id: ADMIN, ...admin, factor: null, lastLogInAt: null, isSuspended: false };
const party = { kind: 'admin', role: 'owner', name: STORED, email: STORED } as const;

const open = (path: string) => {
  fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: person }),
    email: () => ({
      data: {
        email: STORED,
        isVerified: false,
        pendingEmail: STORED,
        confirmBy: '2099-01-01T00:00:00.000Z',
        suppression: null,
      },
    }),
    getUser: () => ({ data: person }),
    listUsers: () => ({ data: [row], total: 1, isCapped: false, next: null }),
    newestUsers: () => ({ data: [row] }),
    ownAdmin: () => ({ data: { userId: 'another', ...admin } }),
    team: () => ({
      data: {
        ownId: 'another',
        members: [member, { ...member, id: 'second', name: 'Ana' }],
        invitations: [
          {
            id: 'third',
            email: STORED,
            role: 'support',
            invitedBy: STORED,
            expiresAt: '2099-01-01T00:00:00.000Z',
            isExpired: false,
          },
        ],
        suppressions: [],
      },
    }),
    audit: () => ({
      data: [
        {
          id: '1',
          at: '2026-11-21T09:58:12.000Z',
          actorId: ADMIN,
          actor: party,
          address: '192.0.2.7',
          action: 'account.change_email',
          targetId: person.id,
          target: { ...party, kind: 'user' },
          before: { email: 'ana@people.test' },
          after: { email: STORED },
        },
      ],
      next: null,
    }),
    checkReset: () => ({ data: { email: STORED, isAdmin: false } }),
    checkEmailUndo: () => ({
      data: {
        email: STORED,
        isConfirmed: true,
        access: { apiKeys: [], connections: [], webhooks: [] },
        deletion: false,
      },
    }),
    checkInvitation: () => ({ data: { email: STORED, role: 'support' } }),
  });
  return openApp(path);
};

/** What a person reads or hears. The addresses of links, and the value of a hidden input, are for programs. */
const TEXTS = ['title', 'aria-label', 'alt', 'placeholder'];
const texts = (): string[] => [
  document.body.textContent,
  ...Array.from(document.querySelectorAll('*'), (element) =>
    TEXTS.map((name) => element.getAttribute(name) ?? ''),
  ).flat(),
  ...Array.from(document.querySelectorAll('input'), (input) => (input.hidden ? '' : input.value)),
];
const expectUnicode = async (): Promise<void> => {
  await waitFor(() => expect(texts().filter((text) => text.includes(SHOWN))).not.toEqual([]));
  expect(texts().filter((text) => text.includes('xn--'))).toEqual([]);
};

describe('an internationalised domain is shown in Unicode', () => {
  test.each(['/', '/profile', '/security', '/payments', '/privacy'])('to its user on %s', async (path) => {
    logInUser();
    open(path);
    await expectUnicode();
  });

  test.each([
    '/admin/user-list',
    '/admin/new-user',
    `/admin/edit-user?user_id=${person.id}`,
    `/admin/user-details?user_id=${person.id}`,
    `/admin/subscription-management?user_id=${person.id}`,
    '/admin/team',
  ])('to an admin on %s', async (path) => {
    logInAdmin();
    open(path);
    await expectUnicode();
  });

  test('to an admin in the audit log, in names and in what was changed', async () => {
    logInAdmin();
    const app = open('/admin/audit');
    const entries = await screen.findByRole('region', { name: 'Audit log' });
    const [summary] = await waitFor(() => {
      const found = entries.querySelectorAll('summary');
      expect(found).toHaveLength(1);
      return found;
    });
    await app.user.click(summary ?? entries);
    await expectUnicode();
    expect(within(entries).getByRole('cell', { name: SHOWN })).toBeVisible();
  });

  test('to an admin in the palette and in dialogs', async () => {
    logInAdmin();
    const app = open('/admin/user-list');
    await screen.findByRole('heading', { name: 'All Users' });
    await app.user.keyboard('{Control>}k{/Control}');
    const input = within(await screen.findByRole('dialog')).getByRole('combobox');
    await waitFor(() => expect(input).toHaveFocus());
    await fill(app.user, input, 'münchen');
    expect(await screen.findByRole('option', { name: new RegExp(SHOWN) })).toBeVisible();
    await expectUnicode();
    await app.user.keyboard('{Escape}');
    await app.user.click(await screen.findByRole('button', { name: /^Delete/ }));
    expect(within(await screen.findByRole('dialog')).getByText(SHOWN)).toBeVisible();
    await expectUnicode();
  });

  test.each([
    ['/login', `/login?signUp=success&email=${encodeURIComponent(STORED)}`],
    ['/reset-password', `/reset-password#token=${TOKEN}`],
    ['/undo-email-change', `/undo-email-change#token=${TOKEN}`],
    ['/admin/accept-invitation', `/admin/accept-invitation#token=${TOKEN}`],
  ])('to whoever opens %s', async (_, path) => {
    open(path);
    await expectUnicode();
  });
});

test('a deletion is confirmed by either spelling of the email', async () => {
  logInUser();
  const { user } = open('/privacy');
  await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
  const dialog = within(await screen.findByRole('dialog'));
  const [field, button] = [
    dialog.getByLabelText('Type your email'),
    dialog.getByRole('button', { name: 'Delete my account' }),
  ];
  for (const [typed, isConfirmed] of [
    [SHOWN, true],
    ['ana@munchen.test', false],
    [STORED, true],
    ['', false],
    [` ${SHOWN.toUpperCase()} `, true],
  ] as const) {
    fireEvent.change(field, { target: { value: typed } });
    expect(button).toHaveProperty('disabled', !isConfirmed);
  }
});
