import { minutes } from '@shortlist/contracts/durations';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { beginViewing } from '../src/lib/viewing.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

afterEach(() => sessionStorage.clear());

const NAME = 'News and tips by email';
const findSetting = (): Promise<HTMLElement> => screen.findByRole('checkbox', { name: NAME });

describe('the setting for news and tips', () => {
  test('shows what is stored, and says which emails it does not stop', async () => {
    logInUser();
    fakeServer({ newsMails: () => ({ enabled: false }) });
    openApp('/profile');
    const setting = await findSetting();
    expect(setting).not.toBeChecked();
    expect(setting).toHaveAccessibleDescription(
      'Emails about your account, its security, and your payments always reach you.',
    );
  });

  test('is saved at once by the keyboard, apart from the form above it', async () => {
    logInUser();
    const server = fakeServer({ setNewsMails: ({ body }) => ({ enabled: body['enabled'] === true }) });
    const { user } = openApp('/profile');
    const setting = await findSetting();
    expect(setting).toBeChecked();
    setting.focus();
    await user.keyboard(' ');
    await waitFor(() => expect(setting).not.toBeChecked());
    await user.keyboard(' ');
    await waitFor(() => expect(server.requestsTo('setNewsMails')).toHaveLength(2));
    expect(server.requestsTo('setNewsMails').map(({ body }) => body)).toEqual([
      { enabled: false },
      { enabled: true },
    ]);
    expect(setting).toHaveFocus();
    expect(server.requestsTo('updateUser')).toEqual([]);
  });

  test('that is not saved goes back, with the reason', async () => {
    logInUser();
    fakeServer({
      setNewsMails: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/profile');
    const setting = await findSetting();
    await user.click(setting);
    expect(await screen.findByRole('alert')).toHaveTextContent('Reference for support: test');
    expect(setting).toBeChecked();
  });

  test('that cannot be loaded costs nothing else of the profile', async () => {
    logInUser();
    const server = fakeServer({
      newsMails: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/profile');
    expect(await screen.findByText('Your email setting could not be loaded')).toBeVisible();
    expect(screen.getByLabelText('First name')).toHaveValue('Amara');
    server.use({ newsMails: () => ({ enabled: true }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await findSetting()).toBeChecked();
  });

  test('D7 is disabled, with the reason, for an admin who views the product as the user', async () => {
    const server = fakeServer();
    const { id } = userView();
    beginViewing({ id, name: 'Amara Okafor' }, { token: 'viewing-news', endsAt: Date.now() + minutes(14) });
    const { user } = openApp('/profile');
    const setting = await findSetting();
    expect(setting).toBeDisabled();
    await user.click(setting);
    expect(server.requestsTo('setNewsMails')).toEqual([]);
  });
});
