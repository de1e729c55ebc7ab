import type { Connection } from '@shortlist/contracts/api/connected-apps';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { connectedTool } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const open = (tools: Connection[]) => {
  logInUser();
  let current = tools;
  const server = fakeServer({
    listConnections: () => ({ data: current }),
    endConnection: ({ params }) => {
      current = current.filter(({ id }) => id !== params['connectionId']);
      return { message: 'ended' };
    },
  });
  return { server, ...openApp('/connections') };
};
const panel = () => screen.findByRole('region', { name: 'Apps' });
const texts = async () =>
  (await within(await panel()).findAllByRole('listitem')).map(({ textContent }) => textContent);

describe('the list of connected apps', () => {
  test('says where each runs, what it may do, and when it was used; an ended one is not in it', async () => {
    const today = new Date().toISOString().slice(0, 10);
    open([
      connectedTool(1, {
        name: 'Automation bot',
        device: 'MacBook of Marta',
        scopes: ['credits:read', 'credits:charge'],
        lastUsed: { day: today, network: '192.0.2.0/24' },
      }),
      connectedTool(2, { name: 'Extension', browser: 'Firefox', system: 'macOS', isVerified: false }),
      connectedTool(3, { endedAt: '2026-11-05T09:00:00.000Z' }),
      connectedTool(4, { expiresAt: '2026-11-05T09:00:00.000Z' }),
    ]);
    expect(await texts()).toEqual([
      'Automation bot MacBook of Marta. Reads credits and usage, uses credits. Used today from 192.0.2.0/24Disconnect',
      'Extension Not verifiedFirefox on macOS. Reads credits and usage. Connected Nov 4, 2026Disconnect',
    ]);
    const enter = within(await panel()).getByRole('link', { name: 'Enter a code' });
    expect(enter).toHaveAttribute('href', '/connect');
  });

  test('ends with one press', async () => {
    const { user, server } = open([connectedTool(1, { name: 'Automation bot' })]);
    await user.click(await screen.findByRole('button', { name: 'Disconnect Automation bot' }));
    expect(await within(await panel()).findByRole('heading', { name: 'No apps yet' })).toBeVisible();
    expect(screen.getByText('Automation bot is disconnected')).toBeVisible();
    const { id } = connectedTool(1);
    expect(server.requestsTo('endConnection').map(({ params }) => params)).toEqual([{ connectionId: id }]);
  });

  test('stays when it could not be ended', async () => {
    const { user, server } = open([connectedTool(1, { name: 'Automation bot' })]);
    server.use({
      endConnection: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Disconnect Automation bot' }));
    expect(await within(await panel()).findByRole('alert')).toBeVisible();
    expect(await texts()).toHaveLength(1);
  });
});
