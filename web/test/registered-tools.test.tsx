import type { RegisteredTool } from '@shortlist/contracts/api/connected-apps';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { registeredTool } from './fixtures.ts';
import { logInAdmin, openApp } from './render-app.tsx';

const BOT = registeredTool(1, { name: 'Automation bot', users: 1_408 });
const DISABLED = registeredTool(2, { name: 'Exporter', disabledAt: '2026-11-20T09:00:00.000Z' });

const open = (tools: RegisteredTool[], handlers: Parameters<typeof fakeServer>[0] = {}) => {
  let current = tools;
  const change = (id: string | undefined, disabledAt: string | null): void => {
    current = current.map((tool) => (tool.id === id ? { ...tool, disabledAt, users: 0 } : tool));
  };
  const server = fakeServer({
    tools: () => ({ data: current }),
    disableTool: ({ params }) => {
      change(params['toolId'], '2026-11-21T09:00:00.000Z');
      return { message: 'disabled' };
    },
    enableTool: ({ params }) => {
      change(params['toolId'], null);
      return { message: 'enabled' };
    },
    ...handlers,
  });
  logInAdmin();
  return { ...server, ...openApp('/admin/tools') };
};
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body);

describe('D9 the page of the apps', () => {
  test('shows each app with its rights, addresses, users and state, and how one is registered', async () => {
    open([
      registeredTool(3, {
        name: 'Extension',
        isVerified: false,
        scopes: ['credits:read', 'profile:read'],
        redirectUris: ['https://tools.test/a', 'https://tools.test/b'],
        users: 12_408,
      }),
      DISABLED,
    ]);
    const row = await rowOf('Extension');
    for (const text of [
      'Not verified',
      'https://tools.test/a',
      'https://tools.test/b',
      '12,408',
      'Registered 2026-11-04',
      'Enabled',
      registeredTool(3).id,
    ])
      expect(row.getByText(text)).toBeVisible();
    expect(row.getByText(/^Read credits and usage, read name and email/)).toBeVisible();
    const other = await rowOf('Exporter');
    for (const text of ['Verified', 'Disabled', 'Since 2026-11-20', 'No return address: users enter a code'])
      expect(other.getByText(text)).toBeVisible();
    expect(screen.getByText(/with the command shortlist tool register/)).toBeVisible();
  });

  test('copies the client ID', async () => {
    const { user } = open([BOT]);
    await user.click(await screen.findByRole('button', { name: 'Copy the client ID of Automation bot' }));
    expect(await screen.findByRole('button', { name: 'Client ID copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(BOT.id);
  });

  test('disables an app after it was said how many users are disconnected, and that this is for good', async () => {
    const { user, requestsTo } = open([BOT]);
    await user.click(await screen.findByRole('button', { name: 'Disable Automation bot' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Disable Automation bot' }));
    expect(dialog.getByText('All 1,408 users are disconnected at once.')).toBeVisible();
    expect(dialog.getByText(/This cannot be undone/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(requestsTo('disableTool')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Disable Automation bot' }));
    await user.click(screen.getByRole('button', { name: 'Disconnect 1,408 users' }));
    expect(await screen.findByText('Automation bot is disabled')).toBeVisible();
    expect(requestsTo('disableTool').map(({ params }) => params)).toEqual([{ toolId: BOT.id }]);
    expect(await screen.findByRole('button', { name: 'Enable Automation bot' })).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('enables an app with one press', async () => {
    const { user, requestsTo } = open([DISABLED]);
    await user.click(await screen.findByRole('button', { name: 'Enable Exporter' }));
    expect(await screen.findByText('Exporter is enabled. Users can connect it again.')).toBeVisible();
    expect(requestsTo('enableTool').map(({ params }) => params)).toEqual([{ toolId: DISABLED.id }]);
    expect(await screen.findByRole('button', { name: 'Disable Exporter' })).toBeVisible();
  });

  test('says why an app could not be disabled or enabled', async () => {
    const refuse = (): never => {
      throw apiFailure('identity.tool_not_found');
    };
    const { user } = open([BOT, DISABLED], { disableTool: refuse, enableTool: refuse });
    await user.click(await screen.findByRole('button', { name: 'Enable Exporter' }));
    expect(await screen.findByText('This app was not found.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Disable Automation bot' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Disconnect 1,408 users' }));
    expect(await dialog.findByText('This app was not found.')).toBeVisible();
  });

  test('says that there is none', async () => {
    open([]);
    expect(await screen.findByText('No apps have been registered yet.')).toBeVisible();
  });

  test('says that the apps could not be loaded', async () => {
    open([], {
      tools: () => {
        throw apiFailure('service.unavailable');
      },
    });
    expect(await screen.findByRole('heading', { name: 'The apps could not be loaded' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  test('D6 is not there for a role that may not disable apps, nor in the sidebar', async () => {
    open([BOT], { checkAdmin: () => ({ remainingTime: 3_600, role: 'support' }) });
    expect(
      await screen.findByRole('heading', { name: 'Your role does not include this page' }),
    ).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Connected apps' })).toBeNull();
  });
});
