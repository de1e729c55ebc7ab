import type { ApiKey } from '@shortlist/contracts/api/connected-apps';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { act, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { describe, expect, test, vi } from 'vitest';
import { revalidate } from '../src/lib/data/use-query.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { apiKey } from './fixtures.ts';
import { address, fill, logInUser, openApp } from './render-app.tsx';

const SECRET = 'sl_live_0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ01234567';

/** All that was read from the server and is kept. */
const cached = (): string => {
  const { cache } = SWRConfig.defaultValue;
  return JSON.stringify([...cache.keys()].map((key) => [key, cache.get(key)]));
};

/** A server with these keys, which can be deleted, and which makes keys. */
const serve = (keys: ApiKey[] = []) => {
  let current = keys;
  return fakeServer({
    listApiKeys: () => ({ data: current }),
    createApiKey: ({ body }) => {
      const key = apiKey(9, { name: String(body['name']), hint: 'sl_live_…4567' });
      current = [key, ...current];
      return { data: key, key: SECRET };
    },
    revokeApiKey: ({ params }) => {
      current = current.filter(({ id }) => id !== params['keyId']);
      return { message: 'deleted' };
    },
  });
};

const open = async (keys: ApiKey[] = []) => {
  logInUser();
  const server = serve(keys);
  const app = openApp('/connections');
  await screen.findByRole('heading', { name: 'Connections' });
  return { server, ...app };
};
const lines = async () =>
  within(await screen.findByRole('region', { name: 'API keys' })).findAllByRole('listitem');
const texts = async () => (await lines()).map(({ textContent }) => textContent);

const openForm = async (app: Awaited<ReturnType<typeof open>>) => {
  await app.user.click(await screen.findByRole('button', { name: 'Create key' }));
  return screen.findByRole('dialog', { name: 'Create an API key' });
};
const submit = async (app: Awaited<ReturnType<typeof open>>, name = 'Weekly report') => {
  const form = await openForm(app);
  await fill(app.user, within(form).getByLabelText('Name'), name);
  await app.user.click(within(form).getByRole('button', { name: 'Create key' }));
};

describe('the list of API keys', () => {
  test('says what each may do, until when, and when it was used; a revoked key is not in it', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await open([
      apiKey(1, { name: 'Weekly report', lastUsed: { day: today, network: '192.0.2.0/24' } }),
      apiKey(2, {
        name: 'Import',
        scopes: ['credits:charge', 'profile:read'],
        expiresAt: '2099-12-01T09:00:00.000Z',
        lastUsed: { day: '2026-03-12', network: '' },
      }),
      apiKey(3, { name: 'Old test' }),
      apiKey(4, { name: 'Ended', expiresAt: '2026-03-01T09:00:00.000Z' }),
      apiKey(5, { name: 'Deleted', revokedAt: '2026-03-01T09:00:00.000Z' }),
    ]);
    expect(await texts()).toEqual([
      'Weekly report sl_live_…8f01. Created Nov 4, 2026PermissionsReads credits and usageExpiresNeverLast usedToday from 192.0.2.0/24',
      'Import sl_live_…8f02. Created Nov 4, 2026PermissionsUses credits, reads your profileExpiresDec 1, 2099Last usedMar 12, 2026',
      'Old test sl_live_…8f03. Created Nov 4, 2026PermissionsReads credits and usageExpiresNeverLast usedNot used yet',
      'Ended Expiredsl_live_…8f04. Created Nov 4, 2026PermissionsReads credits and usageExpiredMar 1, 2026Last usedNot used yet',
    ]);
    const reference = screen.getByRole('link', { name: /^API reference/ });
    expect([reference.getAttribute('href'), reference.getAttribute('target')]).toEqual([
      '/api/v1/reference',
      '_blank',
    ]);
  });

  test('leads to a first key from its head while there is none', async () => {
    const app = await open([apiKey(1, { revokedAt: '2026-03-01T09:00:00.000Z' })]);
    const none = await screen.findByRole('heading', { name: 'No keys yet' });
    const head = screen.getByRole('heading', { name: 'API keys' }).parentElement;
    expect(none).toBeVisible();
    expect(within(head ?? none).getByRole('button', { name: 'Create key' })).toBeVisible();
    await openForm(app);
  });

  test('can be read again when it could not be loaded', async () => {
    logInUser();
    const server = fakeServer({
      listApiKeys: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/connections');
    expect(await screen.findByText('Your API keys could not be loaded')).toBeVisible();
    server.use({ listApiKeys: () => ({ data: [apiKey(1)] }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await lines()).toHaveLength(1);
  });

  test('shows a key that was made on another device without a reload', async () => {
    const { server } = await open([apiKey(1)]);
    expect(await lines()).toHaveLength(1);
    server.use({ listApiKeys: () => ({ data: [apiKey(2), apiKey(1)] }) });
    await act(() => revalidate(['connections']));
    await waitFor(async () => expect(await lines()).toHaveLength(2));
  });

  test('is in the sidebar and in the palette', async () => {
    const { user } = await open();
    const entry = within(screen.getByRole('navigation', { name: 'Account' })).getByRole('link', {
      name: 'Connections',
    });
    expect(entry).toHaveAttribute('aria-current', 'page');
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('option', { name: 'Connections' })).toBeInTheDocument();
  });
});

describe('a new key', () => {
  test('expires in ninety days and reads credits unless chosen otherwise', async () => {
    const app = await open();
    await submit(app, '  Weekly report ');
    await screen.findByRole('dialog', { name: 'Copy your key now' });
    expect(app.server.requestsTo('createApiKey')[0]?.body).toEqual({
      name: 'Weekly report',
      scopes: ['credits:read'],
      expiresInDays: 90,
    });
  });

  test('has the chosen expiry and permissions', async () => {
    const app = await open();
    const form = within(await openForm(app));
    await fill(app.user, form.getByLabelText('Name'), 'Bot');
    await app.user.selectOptions(form.getByLabelText('Expires'), 'Never');
    expect(form.getByText('Anyone who finds this key can use it until you delete it.')).toBeVisible();
    await app.user.click(form.getByRole('checkbox', { name: /^Read credits and usage/ }));
    await app.user.click(form.getByRole('checkbox', { name: /^Use credits/ }));
    await app.user.click(form.getByRole('checkbox', { name: /^Read your profile/ }));
    await app.user.click(form.getByRole('button', { name: 'Create key' }));
    await screen.findByRole('dialog', { name: 'Copy your key now' });
    expect(app.server.requestsTo('createApiKey')[0]?.body).toEqual({
      name: 'Bot',
      scopes: ['credits:charge', 'profile:read'],
      expiresInDays: null,
    });
  });

  test('is not requested without a name and a permission, and the focus is at the first of them', async () => {
    const app = await open();
    const form = within(await openForm(app));
    await app.user.click(form.getByRole('checkbox', { name: /^Read credits and usage/ }));
    await app.user.click(form.getByRole('button', { name: 'Create key' }));
    expect(await form.findByText('Please enter a name')).toBeVisible();
    expect(form.getByText('Choose at least one permission')).toBeVisible();
    expect(form.getByLabelText('Name')).toHaveFocus();
    await fill(app.user, form.getByLabelText('Name'), 'Bot');
    await app.user.click(form.getByRole('button', { name: 'Create key' }));
    expect(form.getByRole('checkbox', { name: /^Read credits and usage/ })).toHaveFocus();
    expect(app.server.requestsTo('createApiKey')).toEqual([]);
  });

  test('is shown once, copied, and is nowhere else afterwards', async () => {
    const app = await open();
    await submit(app);
    const dialog = within(await screen.findByRole('dialog', { name: 'Copy your key now' }));
    expect(dialog.getByText('You cannot see it again after you close this.')).toBeVisible();
    expect(dialog.getByText(SECRET)).toBeVisible();
    await app.user.keyboard('{Escape}');
    expect(dialog.getByText(SECRET)).toBeVisible(); // not copied yet
    await app.user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(SECRET);
    expect(await dialog.findByRole('button', { name: 'Copied' })).toBeVisible();
    const held = () =>
      [
        JSON.stringify(app.store.getState()),
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
        window.location.href + JSON.stringify(window.history.state),
        cached(),
      ].filter((text) => text.includes(SECRET));
    expect(cached()).toContain('/api/api-keys');
    expect(held()).toEqual([]);
    await app.user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(await texts()).toEqual([expect.stringContaining('Weekly report')]);
    expect(screen.queryByText(SECRET)).toBeNull();
    expect(held()).toEqual([]);
    expect(address()).toBe('/connections');
    await openForm(app);
    expect(screen.queryByText(SECRET)).toBeNull();
  });

  test('that the browser does not copy can be selected, and the dialog stays', async () => {
    const app = await open();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    await submit(app);
    const dialog = within(await screen.findByRole('dialog', { name: 'Copy your key now' }));
    await app.user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await dialog.findByText(/Select the text and copy it yourself/)).toBeVisible();
    await app.user.keyboard('{Escape}');
    expect(dialog.getByText(SECRET)).toBeVisible();
  });

  test('needs a recent proof, and is made after it', async () => {
    const app = await open();
    let isProven = false;
    app.server.use({
      createApiKey: () => {
        if (!isProven) throw apiFailure('session.reauthentication_required');
        return { data: apiKey(1), key: SECRET };
      },
      reauthentication: () => ({ data: { methods: ['password'], passkey: null } }),
      reauthenticate: () => {
        isProven = true;
        return { message: 'reauthenticated' };
      },
    });
    await submit(app);
    const proof = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
    await fill(app.user, await proof.findByLabelText('Password'), 'long enough');
    await app.user.click(proof.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(SECRET)).toBeVisible();
  });

  test.each<[ErrorCode, RegExp]>([
    ['identity.api_keys_full', /the limit of API keys/],
    ['identity.email_unverified', /confirm your email first/],
    ['request.rate_limited', /Too many attempts/],
  ])('that is refused with %s says so, and what was entered stays', async (code, text) => {
    const app = await open([apiKey(1)]);
    app.server.use({
      createApiKey: () => {
        throw apiFailure(code);
      },
    });
    await submit(app, 'Bot');
    const form = within(screen.getByRole('dialog', { name: 'Create an API key' }));
    expect(await form.findByRole('alert')).toHaveTextContent(text);
    expect(form.getByLabelText('Name')).toHaveValue('Bot');
    const link = form.queryByRole('link', { name: 'Confirm your email' });
    if (code === 'identity.email_unverified') expect(link).toHaveAttribute('href', '/security#email-code');
    else expect(link).toBeNull();
  });

  test('whose name the server refuses has the reason at the field', async () => {
    const app = await open();
    app.server.use({
      createApiKey: () => {
        throw apiFailure('request.invalid', { name: 'Please use visible characters only' });
      },
    });
    await submit(app, 'Bot');
    expect(await screen.findByText('Please use visible characters only')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveFocus();
  });
});

describe('a key is deleted', () => {
  test('after a question that says what stops, and its line goes', async () => {
    const { server, user } = await open([apiKey(1, { name: 'Weekly report' }), apiKey(2)]);
    await user.click(await screen.findByRole('button', { name: 'Delete Weekly report' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Delete this API key' }));
    expect(dialog.getByText('Weekly report')).toBeVisible();
    expect(
      dialog.getByText('Scripts that use it stop working at once. This cannot be undone.'),
    ).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Delete key' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await texts()).toEqual([expect.stringContaining('Key 2')]);
    expect(screen.getByRole('heading', { name: 'Connections' })).toHaveFocus();
    expect(server.requestsTo('revokeApiKey').map(({ params }) => params)).toEqual([{ keyId: apiKey(1).id }]);
  });

  test('without a warning about scripts when it has expired', async () => {
    const { user } = await open([apiKey(1, { expiresAt: '2026-03-01T09:00:00.000Z' })]);
    await user.click(await screen.findByRole('button', { name: 'Delete Key 1' }));
    expect(screen.getByRole('dialog')).toHaveTextContent('It has expired, so no script can use it.');
  });

  test('or stays, with the reason', async () => {
    const { server, user } = await open([apiKey(1)]);
    server.use({
      revokeApiKey: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete Key 1' }));
    await user.click(screen.getByRole('button', { name: 'Delete key' }));
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeVisible();
    expect(await lines()).toHaveLength(1);
  });
});
