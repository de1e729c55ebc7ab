import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInAdmin, logInUser, openApp } from './render-app.tsx';

const PICTURE = '0123456789abcdef0123456789abcdef.jpg';
const REMOVED = 'The picture will be removed when you save.';
const person = userView({ picture: PICTURE });

const shownPicture = (): HTMLElement | null => screen.queryByRole('img', { name: 'Profile picture' });

const openProfile = async () => {
  logInUser();
  const server = fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: person }),
    updateUser: () => ({ message: 'updated', data: userView() }),
  });
  const { user } = openApp('/profile');
  await screen.findByLabelText('First name');
  return { server, user };
};

describe('the saved picture', () => {
  test('is removed with Save, not before', async () => {
    const { server, user } = await openProfile();
    expect(shownPicture()).toHaveAttribute('src', `/profile_pictures/${PICTURE}`);
    await user.click(screen.getByRole('button', { name: 'Remove picture' }));
    expect(screen.getByText(REMOVED)).toBeInTheDocument();
    expect(shownPicture()).not.toBeInTheDocument();
    expect(server.requestsTo('updateUser')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    expect(server.requestsTo('updateUser')[0]?.userData).toMatchObject({ removePicture: true });
  });

  test('is kept after Keep picture, and the focus stays', async () => {
    const { server, user } = await openProfile();
    await user.click(screen.getByRole('button', { name: 'Remove picture' }));
    const undo = screen.getByRole('button', { name: 'Keep picture' });
    expect(undo).toHaveFocus();
    await user.click(undo);
    expect(screen.queryByText(REMOVED)).not.toBeInTheDocument();
    expect(shownPicture()).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    expect(server.requestsTo('updateUser')[0]?.userData).not.toHaveProperty('removePicture');
  });

  test('is replaced when a file is chosen after the removal', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
    const { server, user } = await openProfile();
    await user.click(screen.getByRole('button', { name: 'Remove picture' }));
    const file = new File(['x'], 'a.png', { type: 'image/png' });
    fireEvent.change(screen.getByLabelText('Profile picture', { selector: 'input' }), {
      target: { files: [file] },
    });
    expect(shownPicture()).toHaveAttribute('src', 'blob:picture');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    const [request] = server.requestsTo('updateUser');
    expect(request?.userData).not.toHaveProperty('removePicture');
    expect(request?.file).toBeInstanceOf(File);
  });

  test('can be removed by an admin', async () => {
    logInAdmin();
    const server = fakeServer({
      getUser: () => ({ data: person }),
      updateUser: () => ({ message: 'updated', data: userView() }),
    });
    const { user } = openApp(`/admin/edit-user?user_id=${person.id}`);
    await user.click(await screen.findByRole('button', { name: 'Remove picture' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The user has been updated.');
    expect(server.requestsTo('updateUser')[0]?.userData).toMatchObject({ removePicture: true });
  });

  test('cannot be removed where there is none', async () => {
    logInUser();
    fakeServer({ checkUser: () => ({ remainingTime: 3_600, user: userView() }) });
    openApp('/profile');
    await screen.findByLabelText('First name');
    expect(screen.queryByRole('button', { name: 'Remove picture' })).not.toBeInTheDocument();
  });
});
