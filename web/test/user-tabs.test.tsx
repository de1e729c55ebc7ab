import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer, unreachable } from './fake-server.ts';
import { creditsEntry, noteView, paymentRow, premiumUser, userView } from './fixtures.ts';
import { address, closeApp, fill, logInAdmin, openApp } from './render-app.tsx';

type Responses = Parameters<typeof fakeServer>[0];

const { id } = userView();
const PAGE = `/admin/edit-user?user_id=${id}`;

const open = (responses: Responses = {}, path = PAGE) => {
  logInAdmin();
  const server = fakeServer({ getUser: () => ({ data: userView() }), ...responses });
  return { server, ...openApp(path) };
};
const openTab = (tab: string, responses: Responses = {}) => open(responses, `${PAGE}&tab=${tab}`);
const as = (role: 'support' | 'finance' | 'read_only'): Responses => ({
  checkAdmin: () => ({ remainingTime: 3_600, role }),
});
const tabs = async (): Promise<(string | null)[]> => {
  const list = within(await screen.findByRole('navigation', { name: 'Amara Okafor' }));
  return list.getAllByRole('link').map(({ textContent }) => textContent);
};

describe('the tabs of a user', () => {
  test('begin with the details, are in the address, and Back walks them', async () => {
    const { user, server } = open();
    expect(await screen.findByLabelText('City')).toBeVisible();
    expect(await tabs()).toEqual([
      'Details',
      'Timeline',
      'Credits',
      'Payments',
      'Security',
      'Notes',
      'Changes',
    ]);
    expect(screen.getByRole('link', { name: 'Details' })).toHaveAttribute('aria-current', 'page');
    expect(server.requestsTo('timeline')).toEqual([]);
    await user.click(screen.getByRole('link', { name: 'Timeline' }));
    expect(await screen.findByText('Nothing has happened yet.')).toBeVisible();
    expect(address()).toBe(`${PAGE}&tab=timeline`);
    window.history.back();
    await waitFor(() => expect(screen.getByLabelText('City')).toBeVisible());
    expect(screen.getByText('Nothing has happened yet.')).not.toBeVisible();
  });

  test('keep what was typed in them, and read nothing while they are hidden', async () => {
    const { user, server } = open();
    await fill(user, await screen.findByLabelText('City'), ' and more');
    await fill(user, screen.getByLabelText(/^Password/), 'a secret of theirs');
    await user.click(screen.getByRole('link', { name: 'Notes' }));
    await fill(user, await screen.findByLabelText('Note'), 'Half a note');
    await user.click(screen.getByRole('link', { name: 'Credits' }));
    const reads = server.requestsTo('userNotes').length;
    await user.click(await screen.findByRole('button', { name: 'Grant credits' }));
    const dialog = within(screen.getByRole('dialog'));
    await fill(user, dialog.getByLabelText('Reason'), 'The import lost a day');
    server.use({
      grantCredits: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(dialog.getByRole('button', { name: 'Grant 50 credits' }));
    expect(await dialog.findByRole('alert')).toBeVisible();
    expect(dialog.getByLabelText('Reason')).toHaveValue('The import lost a day');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(server.requestsTo('userNotes')).toHaveLength(reads);
    await user.click(screen.getByRole('link', { name: 'Details' }));
    expect(screen.getByLabelText('City')).toHaveValue('Bergen and more');
    expect(screen.getByLabelText(/^Password/)).toHaveValue('a secret of theirs');
    await user.click(screen.getByRole('link', { name: 'Notes' }));
    expect(screen.getByLabelText('Note')).toHaveValue('Half a note');
  });

  test.each([
    ['payments', 'support'],
    ['nonsense', 'finance'],
  ] as const)('D6 the tab %s, which %s does not have, stands for the details', async (tab, role) => {
    const { server } = openTab(tab, as(role));
    expect(await screen.findByRole('link', { name: 'Details' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('heading', { name: 'Subscription Information' })).toBeVisible();
    expect(server.requestsTo('payments')).toEqual([]);
  });

  test.each([
    ['support', ['Details', 'Timeline', 'Credits', 'Security', 'Notes', 'Changes']],
    ['finance', ['Details', 'Timeline', 'Credits', 'Payments', 'Security', 'Notes']],
  ] as const)('D6 are those that %s may read', async (role, names) => {
    open(as(role));
    expect(await tabs()).toEqual(names);
  });

  test('show the page while the status of the account is not known', async () => {
    open({ accountStatus: () => new Promise(() => undefined) });
    expect(await screen.findByLabelText('City', {}, { timeout: 3_000 })).toBeVisible();
  });
});

describe('the payments of a user', () => {
  test('are listed with a link to each and the totals of each currency', async () => {
    const { server } = openTab('payments', {
      payments: () => ({ data: [paymentRow()], next: null }),
      paymentTotals: () => ({
        data: [
          {
            currency: 'usd',
            count: 1,
            collected: 5_900,
            returned: 0,
            fees: 201,
            net: 5_699,
            unknownFees: 0,
          },
        ],
      }),
    });
    expect(await screen.findByRole('link', { name: 'SL-01193' })).toHaveAttribute(
      'href',
      '/admin/payment?id=in_1',
    );
    expect(await screen.findByText('$56.99')).toBeVisible();
    expect(screen.queryByText('Marta Lindqvist')).not.toBeInTheDocument();
    expect(server.requestsTo('payments')[0]?.query.get('users')).toBe(id);
    expect(server.requestsTo('paymentTotals')[0]?.query.get('users')).toBe(id);
  });
});

describe('the ledger of a user', () => {
  test('names what was used for what by which app, and is filtered in the address', async () => {
    const clientId = '0192f0c0-0000-7000-8000-000000000201';
    const { server, user } = openTab('credits', {
      userAccess: () => ({
        data: {
          apiKeys: [
            { id: clientId, name: 'Weekly report', detail: '…8f01', createdAt: '2026-11-04T09:00:00.000Z' },
          ],
          connections: [],
          webhooks: [],
        },
      }),
      userCreditsHistory: () => ({ data: [creditsEntry(1, { clientId }), creditsEntry(2)], next: '2' }),
    });
    const ledger = within(await screen.findByRole('region', { name: 'Ledger' }));
    expect(
      await ledger.findByRole('row', { name: /^Email found Jonas Feldmann Weekly report/ }),
    ).toBeVisible();
    expect(ledger.getByRole('row', { name: /^Email found Jonas Feldmann Browser/ })).toBeVisible();
    await user.click(ledger.getByRole('button', { name: 'Older' }));
    await waitFor(() =>
      expect(server.requestsTo('userCreditsHistory').at(-1)?.query.get('cursor')).toBe('2'),
    );
    await user.selectOptions(ledger.getByLabelText('Action'), 'Pack bought');
    await waitFor(() => expect(address()).toBe(`${PAGE}&tab=credits&reason=pack_bought`));
    expect(server.requestsTo('userCreditsHistory').at(-1)?.params).toEqual({ userId: id });
  });

  test('fails alone, and can be read again', async () => {
    const { server, user } = openTab('credits', {
      userCreditsHistory: () => {
        throw apiFailure('service.unavailable');
      },
    });
    expect(await screen.findByText('The ledger could not be loaded')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Credits' })).toBeVisible();
    server.use({ userCreditsHistory: () => ({ data: [], next: null }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This user has not used any credits yet.')).toBeVisible();
  });
});

describe('notes about a user', () => {
  test('are added once, although the response was lost, and what was typed survives a reload', async () => {
    const { server, user } = openTab('notes', {
      addNote: () => {
        throw unreachable();
      },
    });
    await user.click(await screen.findByLabelText('Note'));
    await user.paste('Wants an invoice.\nSent the guide.');
    expect(screen.getByText(/33 of 2,000 characters/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    expect(await screen.findByText(/cannot reach the server/)).toBeVisible();
    closeApp();
    const again = openApp(`${PAGE}&tab=notes`);
    expect(await screen.findByLabelText('Note')).toHaveValue('Wants an invoice.\nSent the guide.');
    server.use({
      addNote: () => {
        server.use({ userNotes: () => ({ data: [noteView(1, { text: 'Wants an invoice.' })] }) });
        return { message: 'added' };
      },
    });
    await again.user.click(screen.getByRole('button', { name: 'Add note' }));
    expect(await screen.findByText('The note was added.')).toBeVisible();
    expect(await screen.findByText('Wants an invoice.')).toBeVisible();
    expect(screen.getByLabelText('Note')).toHaveValue('');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('invoice');
    const ids = server.requestsTo('addNote').map(({ params }) => params['noteId']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('that are changed after a failure are another note', async () => {
    const { server, user } = openTab('notes', {
      addNote: () => {
        throw unreachable();
      },
    });
    await fill(user, await screen.findByLabelText('Note'), 'One');
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    await screen.findByText(/cannot reach the server/);
    await fill(user, screen.getByLabelText('Note'), ' and two');
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    await waitFor(() => expect(server.requestsTo('addNote')).toHaveLength(2));
    const ids = server.requestsTo('addNote').map(({ params }) => params['noteId']);
    expect(new Set(ids).size).toBe(2);
  });

  test('that are too long or empty are refused in words, and kept', async () => {
    const { server, user } = openTab('notes', {
      addNote: () => {
        throw apiFailure('request.invalid', { text: 'Please enter a note' });
      },
    });
    await fill(user, await screen.findByLabelText('Note'), 'ab'.repeat(1_001));
    expect(screen.getByLabelText('Note')).toHaveAccessibleDescription('Please use at most 2,000 characters');
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    expect(server.requestsTo('addNote')).toEqual([]);
    await user.clear(screen.getByLabelText('Note'));
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    await waitFor(() =>
      expect(screen.getByLabelText('Note')).toHaveAccessibleDescription('Please enter a note'),
    );
  });

  test('have their author and time, and only the own ones can be deleted', async () => {
    let notes = [noteView(1, { isOwn: true, text: 'Mine' }), noteView(2), noteView(3, { author: '' })];
    const { server, user } = openTab('notes', {
      userNotes: () => ({ data: notes }),
      removeNote: () => {
        notes = notes.slice(1);
        return { message: 'removed' };
      },
    });
    const list = within(await screen.findByRole('region', { name: 'Notes' }));
    expect(await list.findByText('Mine')).toBeVisible();
    expect(list.getByText(/^A former admin, Nov 3, 2026/)).toBeVisible();
    await user.click(list.getByRole('button', { name: /^Delete the note of Nov 3, 2026/ }));
    await user.click(
      within(screen.getByRole('dialog', { name: 'Delete this note?' })).getByRole('button', {
        name: 'Delete note',
      }),
    );
    await waitFor(() => expect(screen.queryByText('Mine')).not.toBeInTheDocument());
    expect(server.requestsTo('removeNote')[0]?.params).toEqual({ userId: id, noteId: noteView(1).id });
    expect(list.queryByRole('button', { name: /^Delete/ })).not.toBeInTheDocument();
  });
});

test('the header has the plan once it is known', async () => {
  open({ getUser: () => ({ data: premiumUser() }) });
  const head = (await screen.findByRole('heading', { name: 'Amara Okafor' })).parentElement;
  expect(head).toHaveTextContent('Amara OkaforPremium');
});
