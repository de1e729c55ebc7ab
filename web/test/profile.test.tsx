import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { fill, logInUser, openApp } from './render-app.tsx';

const open = async (person = userView()) => {
  const token = logInUser();
  const server = fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: person }),
    updateUser: () => ({ message: 'updated', data: person }),
  });
  const { user } = openApp('/profile');
  await screen.findByRole('heading', { name: 'User Profile' });
  await screen.findByLabelText('First name');
  return { server, user, token };
};

test('the profile has the spec’s texts and the user’s values, and the email is read-only', async () => {
  await open();
  expect(screen.getByText('Here Is Information')).toBeInTheDocument();
  expect(screen.getByLabelText('First name')).toHaveValue('Amara');
  expect(screen.getByLabelText('Country')).toHaveValue('Norway');
  expect(screen.getByLabelText('Email')).toHaveAttribute('readonly');
});

test('a save of the profile navigates home and does not send an empty password', async () => {
  const { server, user, token } = await open();
  await user.clear(screen.getByLabelText('City'));
  await fill(user, screen.getByLabelText('City'), 'Oslo');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  const [request] = server.requestsTo('updateUser');
  expect(request?.params['id']).toBe(userView().id);
  expect(request?.token).toBe(token);
  expect(request?.userData).toMatchObject({ city: 'Oslo', version: 3 });
  expect(request?.userData).not.toHaveProperty('password');
  expect(request?.userData).not.toHaveProperty('email');
});

test('a new password in the profile must be repeated', async () => {
  const { server, user } = await open();
  await fill(user, screen.getByLabelText(/New password/), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('You need to re-write the password here')).toBeInTheDocument();
  expect(server.requestsTo('updateUser')).toHaveLength(0);
  await fill(user, screen.getByLabelText('Repeat password'), 'long enough');
  await fill(user, screen.getByLabelText('Current password'), 'open sesame');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.requestsTo('updateUser')[0]?.userData).toMatchObject({ password: 'long enough' }),
  );
});

test('an invalid profile marks every field and sends nothing', async () => {
  const { server, user } = await open(userView({ organizationName: '', city: '' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('You need to write the name of your organization')).toBeInTheDocument();
  expect(screen.getByLabelText('City')).toBeInvalid();
  expect(server.requestsTo('updateUser')).toHaveLength(0);
  await waitFor(() => expect(screen.getByLabelText('Organization name')).toHaveFocus());
});

test('the LinkedIn field takes only an address at linkedin.com', async () => {
  const { server, user } = await open();
  await fill(user, screen.getByLabelText(/LinkedIn URL/), 'amara-okafor');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Please enter a LinkedIn URL/)).toBeInTheDocument();
  expect(server.requestsTo('updateUser')).toHaveLength(0);
  await user.clear(screen.getByLabelText(/LinkedIn URL/));
  await fill(user, screen.getByLabelText(/LinkedIn URL/), 'linkedin.com/in/amara-okafor');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.requestsTo('updateUser')).toHaveLength(1));
});

test('the LinkedIn field measures an address decoded, as browsers copy it encoded', async () => {
  const { server, user } = await open();
  const input = screen.getByLabelText(/LinkedIn URL/);
  const paste = async (name: string): Promise<void> => {
    await user.clear(input);
    await user.click(input);
    await user.paste(encodeURI(`https://www.linkedin.com/in/${name}`));
    await user.click(screen.getByRole('button', { name: 'Save' }));
  };
  await paste('张'.repeat(273));
  expect(await screen.findByText('Please use at most 300 characters')).toBeInTheDocument();
  expect(server.requestsTo('updateUser')).toHaveLength(0);
  await paste('张'.repeat(272));
  await waitFor(() => expect(server.requestsTo('updateUser')).toHaveLength(1));
});

test('the fields take no input during a save, and the one that had the focus has it after a failure', async () => {
  const { server, user } = await open();
  let fail = (_reason: unknown): void => undefined;
  server.use({ updateUser: () => new Promise<never>((_resolve, reject) => (fail = reject)) });
  await user.clear(screen.getByLabelText('City'));
  await user.type(screen.getByLabelText('City'), 'Oslo{Enter}');
  await waitFor(() => expect(server.requestsTo('updateUser')).toHaveLength(1));
  const isLocked = () => screen.getByLabelText('City').closest('[inert]') !== null;
  expect(isLocked()).toBe(true);
  // As a browser does with what is inert.
  screen.getByLabelText('City').blur();
  fail(apiFailure('service.unavailable'));
  await waitFor(() => expect(isLocked()).toBe(false));
  expect(screen.getByLabelText('City')).toHaveValue('Oslo');
  expect(screen.getByLabelText('City')).toHaveFocus();
});
