import type { UserView } from '@shortlist/contracts/api/profile';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer, unreachable } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const HERE = 'You changed your profile in another tab.';

/** A profile that is open here while another tab has saved `saved`. Saves of an older version are refused. */
const openProfile = async (saved: Partial<UserView>) => {
  logInUser();
  const current = userView({ ...saved, version: 4 });
  const server = fakeServer();
  const { user } = openApp('/profile');
  await screen.findByLabelText('City');
  server.use({
    checkUser: () => ({ remainingTime: 3_600, user: current }),
    updateUser: ({ userData }) => {
      if (userData['version'] !== current.version) throw apiFailure('profile.version_conflict');
      return { message: 'updated', data: current };
    },
  });
  const change = async (label: string | RegExp, value: string): Promise<void> => {
    await user.clear(screen.getByLabelText(label));
    await fill(user, screen.getByLabelText(label), value);
  };
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  const lastSave = () => server.requestsTo('updateUser').at(-1);
  const expectSaved = async (values: Record<string, string>): Promise<void> => {
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    expect(lastSave()?.userData).toMatchObject({ ...values, version: 4 });
  };
  return { server, change, press, lastSave, expectSaved };
};

describe('a profile that was saved in another tab', () => {
  test('is merged and saved by itself when the changes do not collide', async () => {
    const { server, change, press, expectSaved } = await openProfile({
      city: 'Tromsø',
      lastName: 'Okafor-Berg',
    });
    await change('Organization name', 'Field & Co');
    await change(/New password/, 'a new password');
    await change('Repeat password', 'a new password');
    await change('Current password', 'open sesame');
    await press('Save');
    await expectSaved({
      organizationName: 'Field & Co',
      password: 'a new password',
      city: 'Tromsø',
      lastName: 'Okafor-Berg',
    });
    expect(server.requestsTo('updateUser')).toHaveLength(2);
    expect(screen.queryByText(HERE)).not.toBeInTheDocument();
  });

  test.each([
    ['Save the values from here', 'Oslo'],
    ['Keep what is already saved', 'Tromsø'],
  ])('shows the choice between the values of a field when both changed it: %s', async (choice, city) => {
    const { change, press, expectSaved } = await openProfile({ city: 'Tromsø', lastName: 'Okafor-Berg' });
    await change('City', 'Oslo');
    await press('Save');
    expect(await screen.findByText(HERE)).toBeInTheDocument();
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('City: Oslo here, Tromsø already saved');
    expect(alert).toHaveTextContent('This field has two new values. Which one should be saved?');
    expect(alert).not.toHaveTextContent('Okafor-Berg');
    expect(screen.getByLabelText('City')).toHaveValue('Oslo');
    await press(choice);
    await expectSaved({ city, lastName: 'Okafor-Berg' });
  });

  test('keeps the form from changing while the choice is open, which saves the submitted values', async () => {
    const { server, change, press } = await openProfile({ city: 'Tromsø' });
    const lockedFields = () => document.querySelectorAll('[inert] input, [inert] select').length;
    const allFields = document.querySelectorAll('form input, form select').length;
    await change('City', 'Oslo');
    expect(lockedFields()).toBe(0);
    await press('Save');
    await screen.findByText(HERE);
    expect(lockedFields()).toBe(allFields);
    server.use({
      updateUser: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await press('Save the values from here');
    await screen.findByText(/try again/i);
    expect(lockedFields()).toBe(0);
  });

  test('shows the merged values when the merged save is refused for another reason', async () => {
    const { server, change, press } = await openProfile({ lastName: 'Okafor-Berg' });
    await change('City', 'Oslo');
    server.use({
      updateUser: ({ userData }) => {
        throw apiFailure(userData['version'] === 4 ? 'service.unavailable' : 'profile.version_conflict');
      },
    });
    await press('Save');
    await waitFor(() => expect(server.requestsTo('updateUser')).toHaveLength(2));
    expect(await screen.findByRole('alert')).toHaveTextContent(/not responding|try again/i);
    expect(screen.getByLabelText('Last name')).toHaveValue('Okafor-Berg');
    expect(screen.getByLabelText('City')).toHaveValue('Oslo');
  });

  test('keeps the input when the saved values cannot be loaded, and loads them again at a press', async () => {
    const { server, change, press, expectSaved } = await openProfile({ lastName: 'Okafor-Berg' });
    await change('City', 'Oslo');
    server.use({
      checkUser: () => {
        throw unreachable();
      },
    });
    await press('Save');
    expect(await screen.findByText(/We could not load the saved values/)).toBeInTheDocument();
    expect(screen.getByLabelText('City')).toHaveValue('Oslo');
    server.use({
      checkUser: () => ({ remainingTime: 3_600, user: userView({ lastName: 'Okafor-Berg', version: 4 }) }),
    });
    await press('Try again');
    await expectSaved({ city: 'Oslo', lastName: 'Okafor-Berg' });
  });

  test('shows the choice of a picture that was also changed elsewhere', async () => {
    const { press, lastSave, expectSaved } = await openProfile({ picture: '0198a0b0.jpg' });
    const input = screen.getByLabelText('Profile picture', { selector: 'input' });
    fireEvent.change(input, { target: { files: [new File(['x'], 'me.png', { type: 'image/png' })] } });
    await press('Save');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Profile picture: a new picture here, another picture already saved',
    );
    await press('Keep what is already saved');
    await expectSaved({});
    expect(lastSave()?.file).toBeNull();
  });
});

describe('the removal of a picture', () => {
  const open = async (saved: string | null) => {
    logInUser();
    const before = userView({ picture: '0198a0b0.jpg' });
    const server = fakeServer({ checkUser: () => ({ remainingTime: 3_600, user: before }) });
    const { user } = openApp('/profile');
    await user.click(await screen.findByRole('button', { name: 'Remove picture' }));
    const current = userView({ picture: saved, version: 4 });
    server.use({
      checkUser: () => ({ remainingTime: 3_600, user: current }),
      updateUser: ({ userData }) => {
        if (userData['version'] !== 4) throw apiFailure('profile.version_conflict');
        return { message: 'updated', data: current };
      },
    });
    await user.click(screen.getByRole('button', { name: 'Save' }));
  };

  test('does not collide with the same removal elsewhere', async () => {
    await open(null);
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    expect(screen.queryByText(HERE)).not.toBeInTheDocument();
  });

  test('collides with another picture', async () => {
    await open('0198a0b1.jpg');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Profile picture: no picture here, another picture already saved',
    );
  });
});

test('a user whom another admin or the user has changed is named so to an admin', async () => {
  logInAdmin();
  const server = fakeServer({ getUser: () => ({ data: userView() }) });
  const { user } = openApp(`/admin/edit-user?user_id=${userView().id}`);
  await user.type(await screen.findByLabelText('City'), 'x');
  server.use({
    updateUser: () => {
      throw apiFailure('profile.version_conflict');
    },
    getUser: () => ({ data: userView({ city: 'Tromsø', version: 4 }) }),
  });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This user was changed in the meantime.')).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('City: Bergenx here, Tromsø already saved');
  expect(screen.getByLabelText('City')).toHaveValue('Bergenx');
});
