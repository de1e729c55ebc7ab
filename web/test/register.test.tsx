import { PASSWORD_PROBLEMS } from '@shortlist/contracts/password.rules';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { profileFields } from '../src/features/account/account-values.ts';
import { fakeServer, apiFailure, unreachable } from './fake-server.ts';
import { fillAccount } from './fill-account.ts';
import { userView } from './fixtures.ts';
import { address, fill, openApp } from './render-app.tsx';

type User = ReturnType<typeof openApp>['user'];

const open = async (): Promise<User> => {
  const { user } = openApp('/register');
  await screen.findByRole('heading', { name: 'Sign Up' });
  return user;
};

const signUp = (user: User) => user.click(screen.getByRole('button', { name: 'Sign Up' }));

const picture = (name: string, type: string, size: number): File => {
  const file = new File(['x'], name, { type });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};

describe('validation of the sign-up form', () => {
  test('an empty submit shows a message for each required field and sends nothing', async () => {
    const server = fakeServer();
    const user = await open();
    await signUp(user);
    for (const message of [
      'You need to provide an email.',
      'You need to write the password.',
      'You need to re-write the password here',
      'You need to write your first name here',
      'You need to write your last name here',
      'You need to write the name of your organization',
      'Please select the type of your organization',
      'You need to write your primary recruiting industry',
      'Please select a country',
      'Please type the name of your home city (eg London, Paris etc)',
    ])
      expect(await screen.findByText(message)).toBeInTheDocument();
    expect(server.requestsTo('signup')).toHaveLength(0);
  });

  test('an invalid value shows its message at its field', async () => {
    fakeServer();
    const user = await open();
    for (const [label, value, message] of [
      ['Email', 'abc', 'Email must contain at least four characters'],
      ['Email', 'amara.talentfield', 'Please provide a valid email'],
      ['Email', 'amara@example.org', "Email should not contain the word 'example'"],
      ['Email', `${'a'.repeat(65)}@talentfield.io`, 'Please provide a valid email'],
      ['Password', '12345', 'Password must contain at least six characters'],
      ['Repeat password', 'something else', 'Passwords do not match'],
      ['First name', 'A', 'Your first name must contain at lest two character'],
      ['Last name', 'O', 'Your last name must contain at lest two character'],
      ['City', 'B', 'The name of your home city must contain at lest two character'],
    ] as const) {
      const field = screen.getByLabelText(label);
      await user.clear(field);
      await fill(user, field, value);
      expect(await screen.findByText(message)).toBeInTheDocument();
      expect(field).toHaveAccessibleDescription(message);
    }
  });

  test('a field shows no error before it is touched', async () => {
    fakeServer();
    const user = await open();
    await user.click(screen.getByLabelText('City'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await user.tab();
    expect(
      await screen.findByText('Please type the name of your home city (eg London, Paris etc)'),
    ).toBeInTheDocument();
  });

  test('a taken email is reported on blur until it is changed', async () => {
    fakeServer({
      emailAvailability: ({ query }) => ({ available: query.get('email') !== 'taken@talentfield.io' }),
    });
    const user = await open();
    const email = screen.getByLabelText('Email');
    await fill(user, email, 'taken@talentfield.io');
    await user.tab();
    expect(await screen.findByText('Email Exists! Please use another email.')).toBeInTheDocument();
    await user.type(email, 'n');
    expect(screen.queryByText('Email Exists! Please use another email.')).not.toBeInTheDocument();
  });

  test('the strength of the password is a hint', async () => {
    fakeServer();
    const user = await open();
    await fill(user, screen.getByLabelText('Password'), 'rkqzvu');
    expect(await screen.findByText('Weak. A few more words would help.')).toBeInTheDocument();
    await fill(user, screen.getByLabelText('Password'), ' correct horse battery');
    expect(screen.getByText('Strong.')).toBeInTheDocument();
  });

  test('A3 the strength of a password is an estimate alone while the list of common ones cannot be loaded', async () => {
    fakeServer();
    const { fetch: online } = globalThis;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      url.endsWith('.bloom') ? Promise.reject(unreachable()) : online(url, init),
    );
    const user = await open();
    await fill(user, screen.getByLabelText('Password'), 'password');
    expect(await screen.findByText('Fair. Longer is stronger.')).toBeInTheDocument();
  });

  test('A3 a password that the server refuses is weak, and says why, while it is typed', async () => {
    fakeServer();
    const user = await open();
    await fill(user, screen.getByLabelText('Email'), 'amara.diallo@talentfield.io');
    await fill(user, screen.getByLabelText('First name'), 'Amara');
    await fill(user, screen.getByLabelText('Last name'), 'Diallo-Featherstone');
    const refused = [
      ['password', PASSWORD_PROBLEMS.common],
      ['Password1', PASSWORD_PROBLEMS.common],
      ['amara.diallo@talentfield.io', PASSWORD_PROBLEMS.personal],
      ['Amara.Diallo', PASSWORD_PROBLEMS.personal],
      ['Amara Diallo-Featherstone', PASSWORD_PROBLEMS.personal],
      ['My Shortlist 2026', PASSWORD_PROBLEMS.product],
    ] as const;
    const field = screen.getByLabelText('Password');
    for (const [password, problem] of refused) {
      await user.clear(field);
      await fill(user, field, password);
      expect(await screen.findByText(problem)).toBeInTheDocument();
      expect(document.querySelectorAll('.strength .is-filled')).toHaveLength(1);
    }
    await user.clear(field);
    await fill(user, field, 'amara.diallo and a horse');
    expect(await screen.findByText('Strong.')).toBeInTheDocument();
  });
});

describe('the picture of the sign-up form', () => {
  const choose = (file: File) =>
    fireEvent.change(screen.getByLabelText('Profile picture', { selector: 'input' }), {
      target: { files: [file] },
    });

  test('is rejected when its type is not allowed', async () => {
    fakeServer();
    await open();
    choose(picture('a.svg', 'image/svg+xml', 10));
    expect(screen.getByText('Invalid file type. Only PNG, JPEG, and GIF are allowed.')).toBeInTheDocument();
  });

  test.each(['', 'image/jpg', 'application/octet-stream'])(
    'is taken when the system says %j of it: profile decides by the content',
    async (type) => {
      fakeServer();
      await open();
      choose(picture('a.jpg', type, 10));
      expect(screen.queryByText(/Invalid file type/)).not.toBeInTheDocument();
    },
  );

  test('is rejected above 5 MB', async () => {
    fakeServer();
    await open();
    choose(picture('a.png', 'image/png', 5 * 1024 * 1024 + 1));
    expect(screen.getByText('File size exceeds 5MB. Please select a smaller file.')).toBeInTheDocument();
    expect(screen.getByText('a.png').parentElement).toHaveTextContent('a.png, 5.0 MB');
  });

  test('is previewed, sent with the form, and can be removed', async () => {
    fakeServer();
    const user = await open();
    choose(picture('a.png', 'image/png', 10));
    expect(screen.getByRole('img', { name: 'Profile picture' })).toHaveAttribute('src', 'blob:picture');
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByRole('img', { name: 'Profile picture' })).not.toBeInTheDocument();
  });

  test('can be dropped', async () => {
    fakeServer();
    await open();
    const dropZone = screen.getByText('Choose a picture').closest('.drop-zone');
    if (dropZone === null) throw new Error('There is no drop zone.');
    fireEvent.drop(dropZone, { dataTransfer: { files: [picture('a.gif', 'image/gif', 10)] } });
    expect(screen.getByRole('img', { name: 'Profile picture' })).toBeInTheDocument();
  });
});

describe('signing up', () => {
  /** The optional fields, which the test leaves empty. */
  const otherFields = Object.fromEntries(
    profileFields(false)
      .filter(({ optional }) => optional)
      .map(({ name }) => [name, '']),
  );

  test('A12 says that a sign-up has to be confirmed before the log-in while another has the address', async () => {
    fakeServer({
      signup: () => ({
        message: 'signup',
        data: { id: '1', email: 'amara@talentfield.io', picture: null, isPending: true },
      }),
    });
    const user = await open();
    await fillAccount(user);
    await signUp(user);
    expect(await screen.findByText(/Open it to confirm your email, then sign in below/)).toBeVisible();
    expect(screen.queryByText(/You have successful registered/)).not.toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveValue('amara@talentfield.io');
  });

  test('sends the spec’s fields and navigates to the login with email and picture', async () => {
    const server = fakeServer({
      signup: () => ({
        message: 'signup',
        data: { id: '1', email: 'amara@talentfield.io', picture: '0123456789abcdef0123456789abcdef.jpg' },
      }),
    });
    const user = await open();
    await fillAccount(user);
    await signUp(user);
    await screen.findByRole('heading', { name: 'Log In' });
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
      signUp: 'success',
      email: 'amara@talentfield.io',
      picture: '0123456789abcdef0123456789abcdef.jpg',
    });
    expect(server.requestsTo('signup')[0]?.userData).toEqual({
      ...otherFields,
      email: 'amara@talentfield.io',
      password: 'long enough',
      firstName: 'Amara',
      lastName: 'Okafor',
      organizationName: 'Talent Field',
      typeOfOrganization: 'Recruitment Agency',
      primaryRecruitingIndustry: 'Software',
      country: 'Norway',
      city: 'Bergen',
      linkedin: '',
    });
  });

  test('leads to the page that needed the session where the sign-up has begun one', async () => {
    const created = { id: '1', email: 'amara@talentfield.io', picture: null };
    const logIn = { token: 'first-session', user: userView(), remainingTime: 3_600 };
    fakeServer({ signup: () => ({ message: 'signup', data: { ...created, logIn } }) });
    const { user } = openApp('/credits');
    await user.click(await screen.findByRole('link', { name: 'Sign Up' }));
    await screen.findByRole('heading', { name: 'Sign Up' });
    await fillAccount(user);
    await signUp(user);
    await screen.findByRole('heading', { name: 'Your Credits and Usage' });
    expect(address()).toBe('/credits');
    expect(localStorage.getItem('endUserToken')).toBe('first-session');
  });

  test('shows the server’s errors at their fields and keeps the input', async () => {
    fakeServer({
      signup: () => {
        throw apiFailure('request.invalid', { country: 'Please select a country', city: 'No such city' });
      },
    });
    const user = await open();
    await fillAccount(user);
    await signUp(user);
    expect(await screen.findByText('No such city')).toBeInTheDocument();
    expect(screen.getByLabelText('Country')).toHaveAccessibleDescription('Please select a country');
    expect(screen.getByLabelText('First name')).toHaveValue('Amara');
    expect(screen.getByLabelText('Password')).toHaveValue('long enough');
  });

  test('reports an email taken meanwhile at the email', async () => {
    fakeServer({
      signup: () => {
        throw apiFailure('identity.email_taken');
      },
    });
    const user = await open();
    await fillAccount(user);
    await signUp(user);
    await waitFor(() =>
      expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
        'Email Exists! Please use another email.',
      ),
    );
  });

  test('keeps the input while the server is unreachable, and can be sent again', async () => {
    const server = fakeServer({
      signup: () => {
        throw unreachable();
      },
    });
    const user = await open();
    await fillAccount(user);
    await signUp(user);
    expect(await screen.findByText(/What you typed is still here/)).toBeInTheDocument();
    server.use({ signup: () => ({ message: 'signup', data: { id: '1', email: 'a@b.io', picture: null } }) });
    await signUp(user);
    await screen.findByRole('heading', { name: 'Log In' });
  });
});

describe('the list of countries', () => {
  test('filters while typing and accepts only its own values', async () => {
    fakeServer();
    const user = await open();
    const country = screen.getByLabelText('Country');
    await user.type(country, 'nor');
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        'Norfolk Island',
        'North Korea',
        'North Macedonia',
        'Northern Mariana Islands',
        'Norway',
      ]),
    );
    await user.keyboard('{ArrowDown>4/}{Enter}');
    expect(country).toHaveValue('Norway');
    await user.clear(country);
    await user.type(country, 'Atlantis');
    expect(screen.getByRole('option', { name: 'No results for “Atlantis”' })).toBeInTheDocument();
    await user.tab();
    expect(await screen.findByText('Please select a country')).toBeInTheDocument();
  });
});

test('a reload keeps what was typed to sign up but the passwords, until the sign-up succeeds', async () => {
  fakeServer({ signup: () => ({ message: 'signup', data: { ...userView(), picture: null } }) });
  const reload = (): Promise<User> => {
    cleanup();
    return open();
  };
  const user = await open();
  await fillAccount(user);
  await reload();
  expect(screen.getByLabelText('First name')).toHaveValue('Amara');
  expect(screen.getByLabelText('Country')).toHaveValue('Norway');
  expect(screen.getByLabelText('Password')).toHaveValue('');
  expect(screen.getByLabelText('Repeat password')).toHaveValue('');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('long enough');
  const again = await reload();
  for (const label of ['Password', 'Repeat password'])
    await fill(again, screen.getByLabelText(label), 'a long enough one');
  await signUp(again);
  await waitFor(() => expect(address()).toContain('/login'));
  await reload();
  expect(screen.getByLabelText('First name')).toHaveValue('');
});

test('a sign-up without a connection says that the device is offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fakeServer({
    signup: () => {
      throw unreachable();
    },
  });
  const user = await open();
  await fillAccount(user);
  await signUp(user);
  expect(await screen.findByText(/Your device is offline/)).toBeVisible();
});
