import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, fill, logInUser, openApp } from './render-app.tsx';

const { email } = userView();
const NEW = 'new@people.test';
const view = (more: object = {}) => ({
  data: { email, isVerified: true, pendingEmail: null, confirmBy: null, suppression: null, ...more },
});
const withApp = () => ({
  data: { totpSince: '2026-11-01T09:00:00.000Z', recoveryCodes: { left: 10, total: 10 }, passkeys: [] },
});
let tokens = 0;
const newToken = (): string => String((tokens += 1)).padStart(43, 'C');
const ended = () => {
  throw apiFailure('identity.link_ended');
};

const openDialog = async (user: ReturnType<typeof openApp>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'Change email' }));
  return within(screen.getByRole('dialog', { name: 'Change your email' }));
};

describe('a change of the email', () => {
  test('A13 is requested with the password, and waits for its confirmation', async () => {
    logInUser();
    let pendingEmail: string | null = null;
    const server = fakeServer({
      email: () => view({ pendingEmail }),
      requestEmailChange: () => {
        pendingEmail = NEW;
        return { message: 'requested' };
      },
    });
    const { user } = openApp('/security');
    const dialog = await openDialog(user);
    await fill(user, dialog.getByLabelText('New email'), NEW);
    await user.click(dialog.getByRole('button', { name: 'Send link' }));
    expect(await dialog.findByText('Please enter your password')).toBeVisible();
    await fill(user, dialog.getByLabelText('Your password'), 'open sesame');
    await user.click(dialog.getByRole('button', { name: 'Send link' }));
    expect(await screen.findByText('Confirm your new email')).toBeVisible();
    expect(screen.getByText(NEW)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    const [request] = server.requestsTo('requestEmailChange');
    expect(request?.body).toEqual({ email: NEW, currentPassword: 'open sesame' });
  });

  test('A13 shows a wrong password at its field', async () => {
    logInUser();
    fakeServer({
      requestEmailChange: () => {
        throw apiFailure('identity.current_password_wrong', { currentPassword: 'Not this one.' });
      },
    });
    const { user } = openApp('/security');
    const dialog = await openDialog(user);
    await fill(user, dialog.getByLabelText('New email'), NEW);
    await fill(user, dialog.getByLabelText('Your password'), 'a wrong one');
    await user.click(dialog.getByRole('button', { name: 'Send link' }));
    expect(await dialog.findByText('Not this one.')).toBeVisible();
  });

  test('A13 is proved by a code while two-step verification is on', async () => {
    logInUser();
    let isProven = false;
    const server = fakeServer({
      factors: withApp,
      requestEmailChange: () => {
        if (!isProven) throw apiFailure('session.reauthentication_required');
        return { message: 'requested' };
      },
      reauthentication: () => ({ data: { methods: ['totp'], passkey: null } }),
      reauthenticate: () => {
        isProven = true;
        return { message: 'reauthenticated' };
      },
    });
    const { user } = openApp('/security');
    const dialog = await openDialog(user);
    expect(dialog.queryByLabelText('Your password')).not.toBeInTheDocument();
    await fill(user, dialog.getByLabelText('New email'), NEW);
    await user.click(dialog.getByRole('button', { name: 'Send link' }));
    const proof = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
    await fill(user, await proof.findByRole('textbox'), '123456');
    await user.click(proof.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(server.requestsTo('requestEmailChange')).toHaveLength(2));
    expect(server.requestsTo('requestEmailChange')[1]?.body).toEqual({ email: NEW });
  });

  test('A13 is sent again, canceled, or confirmed by the code of the mail', async () => {
    logInUser();
    let pendingEmail: string | null = NEW;
    const server = fakeServer({
      email: () => view({ pendingEmail }),
      resendEmailChange: () => ({ message: 'requested' }),
      confirmEmailChangeCode: ({ body }) => {
        if (body['code'] !== '012345') throw apiFailure('identity.email_code_wrong', { code: 'Wrong.' });
        pendingEmail = null;
        return { data: { email: NEW } };
      },
    });
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Send it again' }));
    expect(await screen.findByText(`A new link is on its way to ${NEW}.`)).toBeVisible();
    const line = within(screen.getByText('Confirm your new email').closest('li') ?? document.body);
    await fill(user, line.getByLabelText('Code from the email'), '012345');
    await user.click(line.getByRole('button', { name: 'Confirm email' }));
    await waitFor(() => expect(screen.queryByText('Confirm your new email')).not.toBeInTheDocument());
    expect(server.requestsTo('verifyEmailCode')).toEqual([]);
  });

  test('A13 is canceled', async () => {
    logInUser();
    let pendingEmail: string | null = NEW;
    fakeServer({
      email: () => view({ pendingEmail }),
      cancelEmailChange: () => {
        pendingEmail = null;
        return { message: 'canceled' };
      },
    });
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Cancel the change' }));
    await waitFor(() => expect(screen.queryByText('Confirm your new email')).not.toBeInTheDocument());
    expect(screen.getByText('Your email stays as it is.')).toBeVisible();
  });

  test('A12 is offered by the bar of an unconfirmed address', async () => {
    logInUser();
    fakeServer({ email: () => view({ isVerified: false }) });
    const { user } = openApp('/');
    await user.click(await screen.findByRole('link', { name: 'Change email' }));
    expect(await screen.findByRole('dialog', { name: 'Change your email' })).toBeVisible();
    expect(window.history.state).not.toHaveProperty('usr.isChangingEmail'); // for a reload and for Back
  });

  test('A12 makes the bar of an unconfirmed address speak of the new one', async () => {
    logInUser();
    const server = fakeServer({
      email: () => view({ isVerified: false, pendingEmail: NEW }),
      resendEmailChange: () => ({ message: 'requested' }),
    });
    const { user } = openApp('/');
    expect(await screen.findByText(NEW)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Send it again' }));
    await waitFor(() => expect(server.requestsTo('resendEmailChange')).toHaveLength(1));
  });
});

describe('the page that confirms a new email', () => {
  test('A13 confirms by its button, with the session, and without the token in the address bar', async () => {
    const session = logInUser();
    const server = fakeServer({ confirmEmailChange: () => ({ data: { email: NEW } }) });
    const token = newToken();
    const { user } = openApp(`/confirm-email#token=${token}`);
    expect(await screen.findByRole('heading', { name: 'Confirm your new email' })).toBeVisible();
    await expect.poll(() => address() + window.location.hash).toBe('/confirm-email');
    expect(server.requestsTo('confirmEmailChange')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByRole('heading', { name: 'Your email was changed' })).toBeVisible();
    expect(server.requestsTo('confirmEmailChange')).toMatchObject([{ body: { token }, token: session }]);
  });

  test('A13 says that the address has an account by now', async () => {
    fakeServer({
      confirmEmailChange: () => {
        throw apiFailure('identity.email_taken');
      },
    });
    const { user } = openApp(`/confirm-email#token=${newToken()}`);
    await user.click(await screen.findByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByText(/Email Exists/)).toBeVisible();
  });

  test.each([
    ['', false],
    ['#token=', true],
  ])('A13 says that the link has ended without a token: %j', async (fragment, isSent) => {
    fakeServer({ confirmEmailChange: ended });
    const { user } = openApp(`/confirm-email${fragment}`);
    if (isSent) await user.click(await screen.findByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  });
});

const NOTHING = {
  twoStep: false,
  recoveryCodes: false,
  passkeys: 0,
  apiKeys: 0,
  webhooks: 0,
  connections: 0,
  deletion: false,
};
const item = (name: string) => ({
  id: '0198a0b0-0000-7000-8000-000000000001',
  name,
  detail: '',
  createdAt: '2026-11-01T09:00:00.000Z',
});
const NO_ACCESS = { apiKeys: [], connections: [], webhooks: [] };
const undoable = (change: object = {}) => ({
  data: { email, isConfirmed: true, access: NO_ACCESS, deletion: false, ...change },
});

describe('the page that undoes a change', () => {
  test('A13 brings the former email back with a new password, in one step, by the keyboard', async () => {
    const server = fakeServer({
      checkEmailUndo: () => undoable(),
      undoEmailChange: () => ({ data: { email, removed: NOTHING } }),
    });
    const token = newToken();
    const { user } = openApp(`/undo-email-change#token=${token}`);
    const password = await screen.findByLabelText('New password');
    expect(screen.getByText(email)).toBeVisible();
    await user.click(password);
    await user.keyboard('mine again today');
    await user.tab();
    while (document.activeElement !== screen.getByLabelText('Repeat password')) await user.tab();
    await user.keyboard('mine again today{Enter}');
    expect(await screen.findByRole('heading', { name: 'The change is undone' })).toBeVisible();
    expect(server.requestsTo('undoEmailChange').map(({ body }) => body)).toEqual([
      { token, password: 'mine again today' },
    ]);
    await user.click(screen.getByRole('link', { name: 'Log In' }));
    expect(address()).toMatch(/^\/login/);
  });

  test('A13 sends nothing before the password fits, and shows why one is refused', async () => {
    let isRefused = true;
    const server = fakeServer({
      checkEmailUndo: () => undoable(),
      undoEmailChange: () => {
        if (isRefused) throw apiFailure('request.invalid', { password: 'This one is among the commonest.' });
        return { data: { email, removed: NOTHING } };
      },
    });
    const { user } = openApp(`/undo-email-change#token=${newToken()}`);
    await user.click(await screen.findByRole('button', { name: 'Undo the change' }));
    await fill(user, screen.getByLabelText('New password'), 'mine again today');
    await fill(user, screen.getByLabelText('Repeat password'), 'mine again');
    await user.click(screen.getByRole('button', { name: 'Undo the change' }));
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    expect(server.requestsTo('undoEmailChange')).toEqual([]);
    await user.clear(screen.getByLabelText('Repeat password'));
    await fill(user, screen.getByLabelText('Repeat password'), 'mine again today');
    await user.click(screen.getByRole('button', { name: 'Undo the change' }));
    expect(await screen.findByText('This one is among the commonest.')).toBeVisible();
    isRefused = false;
    for (const label of ['New password', 'Repeat password']) {
      await user.clear(screen.getByLabelText(label));
      await fill(user, screen.getByLabelText(label), 'mine again tonight');
    }
    await user.click(screen.getByRole('button', { name: 'Undo the change' }));
    expect(await screen.findByRole('heading', { name: 'The change is undone' })).toBeVisible();
  });

  test('A13 says before what will happen, and afterwards what was ended', async () => {
    const removed = {
      ...NOTHING,
      twoStep: true,
      passkeys: 2,
      apiKeys: 2,
      webhooks: 1,
      connections: 1,
      deletion: true,
    };
    const access = {
      apiKeys: [item('Zapier'), item('Export')],
      connections: [item('Sourcing bot')],
      webhooks: [item('hooks.example.com')],
    };
    fakeServer({
      checkEmailUndo: () => undoable({ isConfirmed: false, access, deletion: true }),
      undoEmailChange: () => ({ data: { email, removed } }),
    });
    const { user } = openApp(`/undo-email-change#token=${newToken()}`);
    expect(await screen.findByText('2 API keys:', { exact: false })).toHaveTextContent(
      '2 API keys: Zapier, Export',
    );
    expect(screen.getByText('1 connected app:', { exact: false })).toHaveTextContent('Sourcing bot');
    expect(screen.getByText('1 webhook:', { exact: false })).toHaveTextContent('hooks.example.com');
    expect(screen.getByText(/requested deletion of your account is canceled/)).toBeVisible();
    await fill(user, screen.getByLabelText('New password'), 'mine again today');
    await fill(user, screen.getByLabelText('Repeat password'), 'mine again today');
    await user.click(screen.getByRole('button', { name: 'Stop the change' }));
    expect(await screen.findByRole('heading', { name: 'The change is stopped' })).toBeVisible();
    const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines).toEqual([
      'Two-step verification',
      '2 passkeys',
      '2 API keys',
      '1 connected app',
      '1 webhook, which is now off',
      'The deletion of your account',
    ]);
  });

  test('A13 says that the link has ended meanwhile', async () => {
    fakeServer({ checkEmailUndo: () => undoable(), undoEmailChange: ended });
    const { user } = openApp(`/undo-email-change#token=${newToken()}`);
    await fill(user, await screen.findByLabelText('New password'), 'mine again today');
    await fill(user, screen.getByLabelText('Repeat password'), 'mine again today');
    await user.click(screen.getByRole('button', { name: 'Undo the change' }));
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  });

  test('A13 says that the link has ended', async () => {
    fakeServer({ checkEmailUndo: ended });
    openApp(`/undo-email-change#token=${newToken()}`);
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  });
});
