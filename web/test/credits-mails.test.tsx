import { minutes } from '@shortlist/contracts/durations';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { beginViewing } from '../src/lib/viewing.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

afterEach(() => sessionStorage.clear());

const NAME = 'Email me when my credits run low';
const findSetting = (): Promise<HTMLElement> => screen.findByRole('checkbox', { name: NAME });

describe('the setting for emails about credits', () => {
  test('shows what is stored, and says when an email comes', async () => {
    logInUser();
    fakeServer({ creditMails: () => ({ enabled: false }) });
    openApp('/credits');
    const setting = await findSetting();
    expect(setting).not.toBeChecked();
    expect(setting).toHaveAccessibleDescription('At 80% used, and when none are left.');
  });

  test('is saved at once, and says so while it is', async () => {
    logInUser();
    const saved = Promise.withResolvers<void>();
    const server = fakeServer({
      setCreditMails: async ({ body }) => {
        await saved.promise;
        return { enabled: body['enabled'] === true };
      },
    });
    const { user } = openApp('/credits');
    const setting = await findSetting();
    expect(setting).toBeChecked();
    await user.click(setting);
    expect(setting).not.toBeChecked();
    expect(setting).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByText('Saving…')).toBeVisible();
    await user.click(setting);
    expect(server.requestsTo('setCreditMails').map(({ body }) => body)).toEqual([{ enabled: false }]);
    saved.resolve();
    await waitFor(() => expect(screen.queryByText('Saving…')).toBeNull());
    expect(setting).not.toBeChecked();
    expect(setting).toHaveFocus();
    await user.click(setting);
    await waitFor(() => expect(server.requestsTo('setCreditMails')).toHaveLength(2));
    expect(server.requestsTo('setCreditMails')[1]?.body).toEqual({ enabled: true });
  });

  test('that is not saved goes back, with the reason, and can be changed again', async () => {
    logInUser();
    const server = fakeServer({
      setCreditMails: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/credits');
    const setting = await findSetting();
    await user.click(setting);
    expect(await screen.findByRole('alert')).toHaveTextContent('Reference for support: test');
    expect(setting).toBeChecked();
    server.use({ setCreditMails: () => ({ enabled: false }) });
    await user.click(setting);
    await waitFor(() => expect(setting).not.toBeChecked());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('that cannot be loaded leaves the credits readable, and Retry loads it', async () => {
    logInUser();
    const server = fakeServer({
      creditMails: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/credits');
    expect(await screen.findByText('Your email setting could not be loaded')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Credits available' })).toBeVisible();
    server.use({ creditMails: () => ({ enabled: true }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await findSetting()).toBeChecked();
  });

  test('D7 is disabled, with the reason, for an admin who views the product as the user', async () => {
    const server = fakeServer();
    const { id } = userView();
    const endsAt = Date.now() + minutes(14);
    beginViewing({ id, name: 'Amara Okafor' }, { token: 'viewing-mails', endsAt });
    const { user } = openApp('/credits');
    const setting = await findSetting();
    expect(setting).toBeChecked();
    expect(setting).toBeDisabled();
    expect(setting).toHaveAccessibleDescription(/You can look around, but you cannot change anything\./);
    await user.click(setting);
    expect(server.requestsTo('setCreditMails')).toEqual([]);
  });
});
