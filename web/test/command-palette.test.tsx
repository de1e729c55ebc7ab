import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { directoryRow, userView } from './fixtures.ts';
import { address, fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const ADA = { firstName: 'Ada', lastName: 'Byron' };

type User = ReturnType<typeof openApp>['user'];

const openPalette = async (user: User) => {
  await user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog'));
  // The page behind it may load its next part, and draw the palette once more.
  await waitFor(() => expect(dialog.getByRole('combobox')).toHaveFocus());
  return { ...dialog, input: dialog.getByRole('combobox') };
};

describe('the palette', () => {
  test('leads a user to pages and actions by the keyboard alone', async () => {
    logInUser();
    fakeServer();
    const { user } = openApp('/');
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    const palette = await openPalette(user);
    await user.keyboard('cred');
    expect(palette.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Credits & Usage']);
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'Your Credits and Usage' })).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();

    const again = await openPalette(user);
    const [first] = again.getAllByRole('option');
    expect(first).toHaveTextContent('Credits & Usage'); // what was chosen last
    await user.keyboard('change email{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Change your email' })).toBeVisible();
  });

  test('finds Logout by what it does', async () => {
    logInUser();
    fakeServer();
    const { user } = openApp('/');
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    const palette = await openPalette(user);
    await user.keyboard('sign out');
    expect(palette.getByRole('option')).toHaveTextContent('Logout');
  });

  test('is closed by Escape, and does not open over a dialog', async () => {
    logInUser();
    fakeServer();
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Change email' }));
    await user.keyboard('{Control>}k{/Control}');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await user.keyboard('{Escape}');
    const palette = await openPalette(user);
    expect(palette.input).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('finds users for an admin, and offers what the role may do with the user of the page', async () => {
    logInAdmin();
    const server = fakeServer({
      checkAdmin: () => ({ remainingTime: 3_600, role: 'finance' }),
      listUsers: ({ query }) => ({
        data: query.get('search') === 'ada' ? [directoryRow(1, ADA)] : [],
        next: null,
        total: 1,
        isCapped: false,
      }),
      getUser: () => ({ data: userView(ADA) }),
    });
    const { user } = openApp('/admin/');
    await screen.findByRole('heading', { name: 'Dashboard' });
    const palette = await openPalette(user);
    await fill(user, palette.input, 'ada');
    await user.click(await palette.findByRole('option', { name: /Ada Byron/ }));
    await waitFor(() => expect(address()).toMatch(/^\/admin\/edit-user\?user_id=/));
    expect(server.requestsTo('listUsers').at(-1)?.query.get('limit')).toBe('6');
    await screen.findByRole('heading', { level: 1 });
    const onUser = await openPalette(user);
    expect(await onUser.findByRole('option', { name: /^View Ada/ })).toBeVisible();
    expect(onUser.queryByRole('option', { name: /^View as/ })).not.toBeInTheDocument();
    expect(onUser.queryByRole('option', { name: 'Team' })).not.toBeInTheDocument();
  });

  test('says that users cannot be searched, and still leads to pages', async () => {
    logInAdmin();
    fakeServer({
      listUsers: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/admin/');
    await screen.findByRole('heading', { name: 'Dashboard' });
    const palette = await openPalette(user);
    await fill(user, palette.input, 'new');
    expect(await palette.findByText('We cannot search users right now')).toBeVisible();
    expect(palette.getByRole('option', { name: 'New Users' })).toBeVisible();
    await fill(user, palette.input, 'newest of all');
    await waitFor(() => expect(palette.queryByRole('option')).not.toBeInTheDocument());
    expect(await palette.findByText('We cannot search users right now')).toBeVisible();
    expect(palette.queryByText('No results')).not.toBeInTheDocument();
  });

  test('the keys are listed by ?, which a field keeps', async () => {
    logInUser();
    fakeServer();
    const { user } = openApp('/profile');
    const city = await screen.findByLabelText(/city/i);
    await user.type(city, '?');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await user.click(screen.getByRole('heading', { level: 1 }));
    await user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  });
});
