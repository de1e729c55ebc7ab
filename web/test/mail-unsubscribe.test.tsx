import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { openApp } from './render-app.tsx';

const TOKEN = 'credits.someone.signature';
const TURN_OFF = { name: 'Turn off these emails' };

describe('the page of the link that turns off emails', () => {
  test('turns them off with its button alone', async () => {
    const server = fakeServer({ unsubscribe: () => ({ message: 'unsubscribed' }) });
    const { user } = openApp(`/unsubscribe?token=${TOKEN}`);
    const button = await screen.findByRole('button', TURN_OFF);
    expect(server.requestsTo('unsubscribe')).toEqual([]);
    await user.click(button);
    expect(await screen.findByRole('heading', { name: 'These emails are turned off' })).toBeVisible();
    expect(screen.getByText(/no more emails about your credits.*under Credits & Usage/)).toBeVisible();
    expect(server.requestsTo('unsubscribe').map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  });

  test('says which they are, and where they are turned on again', async () => {
    const token = 'news.someone.signature';
    const server = fakeServer({ unsubscribe: () => ({ message: 'unsubscribed' }) });
    const { user } = openApp(`/unsubscribe?token=${token}`);
    expect(await screen.findByRole('heading', { name: 'Turn off news and tips' })).toBeVisible();
    await user.click(screen.getByRole('button', TURN_OFF));
    expect(
      await screen.findByText('You get no more news and tips. You can turn them on again in your profile.'),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your profile' })).toHaveAttribute('href', '/profile');
    expect(screen.queryByRole('link', { name: 'Go to Credits & Usage' })).toBeNull();
    expect(server.requestsTo('unsubscribe').map(({ body }) => body)).toEqual([{ token }]);
  });

  test('says what else turns them off when the link is refused', async () => {
    fakeServer({
      unsubscribe: () => {
        throw apiFailure('worker.unsubscribe_refused');
      },
    });
    const { user } = openApp(`/unsubscribe?token=${TOKEN}`);
    await user.click(await screen.findByRole('button', TURN_OFF));
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Credits & Usage' })).toHaveAttribute('href', '/credits');
  });

  test('can be tried again after a failure', async () => {
    fakeServer({
      unsubscribe: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp(`/unsubscribe?token=${TOKEN}`);
    await user.click(await screen.findByRole('button', TURN_OFF));
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(screen.getByRole('button', TURN_OFF)).toBeEnabled();
  });

  test.each(['', '?token=', '?token=tomorrow.someone.signature'])(
    'is refused at once without a token of a known kind: %s',
    async (query) => {
      fakeServer();
      openApp(`/unsubscribe${query}`);
      expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible();
      for (const [name, href] of [
        ['Go to Credits & Usage', '/credits'],
        ['Go to your profile', '/profile'],
      ] as const)
        expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
    },
  );
});
