import type { ConnectionRequest } from '@shortlist/contracts/api/connected-apps';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { connectionRequest } from './fixtures.ts';
import { address, closeApp, fill, logInUser, openApp } from './render-app.tsx';

type Handlers = Parameters<typeof fakeServer>[0];

const open = (path: string, request: Partial<ConnectionRequest> = {}, handlers: Handlers = {}) => {
  logInUser();
  const server = fakeServer({
    findConnectionRequest: () => ({ data: connectionRequest(request) }),
    approveConnection: () => ({ returnTo: null }),
    denyConnection: () => ({ returnTo: null }),
    ...handlers,
  });
  return { server, ...openApp(path) };
};

const refuse = (code: ErrorCode) => (): never => {
  throw apiFailure(code);
};
const sent = ({ server }: ReturnType<typeof open>, name: 'findConnectionRequest' | 'approveConnection') =>
  server.requestsTo(name).map(({ body }) => body);
const connect = () => screen.findByRole('button', { name: 'Connect' });

describe('a code that an app shows', () => {
  test('is typed, compared, and approved', async () => {
    const app = open('/connect');
    await fill(app.user, await screen.findByLabelText('Code'), 'wdjbmjht');
    expect(screen.getByLabelText('Code')).toHaveValue('WDJB-MJHT');
    await app.user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('heading', { name: 'Connect Automation bot?' })).toBeVisible();
    expect(screen.getByText(/Does the app show this code/)).toHaveTextContent('WDJB-MJHT');
    expect(screen.getByText(/If someone sent you this code/)).toBeVisible();
    const rights = within(screen.getByRole('list', { name: 'Permissions' })).getAllByRole('listitem');
    expect(rights.map(({ textContent }) => textContent)).toEqual([
      'Read credits and usageYour plan, what is left, and what was used',
      'Use creditsFor the emails it finds and the messages it composes',
      'Stay connectedUntil you disconnect it or do not use it for 90 days',
    ]);
    expect(screen.getByText('MacBook of Marta')).toBeVisible();
    expect(screen.getByText('Gothenburg, Sweden')).toBeVisible();
    expect(sent(app, 'approveConnection')).toEqual([]);
    await app.user.click(await connect());
    expect(await screen.findByRole('heading', { name: 'Automation bot is connected' })).toBeVisible();
    expect(sent(app, 'approveConnection')).toEqual([{ source: 'device', request: 'wdjbmjht' }]);
  });

  test('D8 of a link is shown to be compared, and approves nothing by itself', async () => {
    const app = open('/connect?user_code=WDJB-MJHT');
    await connect();
    expect(screen.getByText(/Does the app show this code/)).toHaveTextContent('WDJB-MJHT');
    expect(sent(app, 'findConnectionRequest')).toEqual([{ source: 'device', request: 'WDJB-MJHT' }]);
    expect(sent(app, 'approveConnection')).toEqual([]);
  });

  test('names the account that is connected, and leads out of it', async () => {
    const app = open('/connect?user_code=WDJB-MJHT');
    await connect();
    expect(screen.getByText(/^Signed in as/)).toHaveTextContent('@');
    expect(screen.getByRole('link', { name: 'Back to Connections' })).toHaveAttribute('href', '/connections');
    await app.user.click(screen.getByRole('button', { name: 'Logout' }));
    await expect.poll(address).toBe('/login');
    expect(sent(app, 'approveConnection')).toEqual([]);
  });

  test('is denied', async () => {
    const { user, server } = open('/connect?user_code=WDJB-MJHT');
    await user.click(await screen.findByRole('button', { name: 'Do not connect' }));
    expect(await screen.findByRole('heading', { name: 'Nothing was connected' })).toBeVisible();
    expect(server.requestsTo('denyConnection')).toHaveLength(1);
    expect(server.requestsTo('approveConnection')).toHaveLength(0);
  });

  test.each([
    ['identity.request_unknown', /This code is not right/],
    ['identity.request_expired', /This request has expired/],
    ['identity.request_decided', /was already approved or denied/],
    ['identity.tool_disabled', /app is disabled/],
  ] as const)('is refused with words: %s', async (code, words) => {
    const { user } = open('/connect', {}, { findConnectionRequest: refuse(code) });
    await fill(user, await screen.findByLabelText('Code'), 'WDJBMJHT');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByLabelText('Code')).toHaveValue('WDJB-MJHT');
  });

  test('is required', async () => {
    const app = open('/connect');
    await app.user.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Please enter the code')).toBeVisible();
    expect(sent(app, 'findConnectionRequest')).toEqual([]);
  });

  test('cannot be approved while the address is not confirmed', async () => {
    const { user } = open(
      '/connect?user_code=WDJB-MJHT',
      {},
      { approveConnection: refuse('identity.email_unverified') },
    );
    await user.click(await connect());
    const link = await screen.findByRole('link', { name: 'Confirm your email' });
    expect(link).toHaveAttribute('href', '/security#email-code');
  });
});

describe('a request of this browser', () => {
  test('goes on to the app with the decision, by an address of ours only', async () => {
    for (const [returnTo, target] of [
      ['/oauth/authorize/abc', '/oauth/authorize/abc'],
      ['//evil.example/', '/connections'],
    ] as const) {
      const { user, visited } = open(
        '/connect?request=abc',
        { code: null },
        { approveConnection: () => ({ returnTo }) },
      );
      await user.click(await connect());
      await expect.poll(() => visited).toEqual([target]);
      closeApp();
    }
  });

  test('has no code to compare, and says of an unknown maker that it is one', async () => {
    open('/connect?request=abc', { code: null, isVerified: false });
    await connect();
    expect(screen.queryByText(/Does the app show this code/)).toBeNull();
    expect(screen.getByText('Not verified')).toBeVisible();
    expect(screen.getByText(/We do not know who makes this app/)).toBeVisible();
    expect(screen.queryByText('Device')).toBeNull();
  });

  test('shows the logo only when our server has sent the picture itself', async () => {
    for (const [logo, count] of [
      ['data:image/png;base64,iVBORw0KGgo=', 1],
      ['https://evil.example/logo.png', 0],
      ['data:image/svg+xml,<svg/>', 0],
    ] as const) {
      open('/connect?request=abc', { logo });
      await connect();
      expect(document.querySelectorAll('img.tool-logo')).toHaveLength(count);
      closeApp();
    }
  });

  test('waits for the log-in, and is there after it', async () => {
    fakeServer({});
    const { store } = openApp('/connect?request=abc');
    await screen.findByRole('heading', { name: 'Log In' });
    expect(address()).toBe('/login');
    expect(store.getState().page.lastPage).toBe('/connect?request=abc');
  });

  test('that names no app ends here, without a look at it', async () => {
    const app = open('/connect?problem=invalid_client');
    expect(await screen.findByRole('heading', { name: 'This app cannot be connected' })).toBeVisible();
    expect(sent(app, 'findConnectionRequest')).toEqual([]);
  });
});
