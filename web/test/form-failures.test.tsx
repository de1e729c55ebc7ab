import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fakeServer, apiFailure, unreachable } from './fake-server.ts';
import { fillAccount } from './fill-account.ts';
import { userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const openProfile = async (updateUser: () => never) => {
  logInUser();
  const server = fakeServer({ updateUser });
  const { user } = openApp('/profile');
  await screen.findByLabelText('First name');
  return { server, user, save: () => user.click(screen.getByRole('button', { name: 'Save' })) };
};

const openSignUp = async (signup: () => never) => {
  const server = fakeServer({ signup });
  const { user } = openApp('/register');
  await screen.findByRole('heading', { name: 'Sign Up' });
  return { server, user, signUp: () => user.click(screen.getByRole('button', { name: 'Sign Up' })) };
};

/** Records the elements that are scrolled into view. */
const watchScrolling = () => {
  const scrolls: { text: string; behavior: ScrollBehavior | undefined }[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element, how) {
    scrolls.push({
      text: this.textContent ?? '',
      behavior: typeof how === 'object' ? how.behavior : undefined,
    });
  });
  return scrolls;
};

const follows = (later: Element, earlier: Element): boolean =>
  (earlier.compareDocumentPosition(later) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

const png = (name: string): File => new File(['x'], name, { type: 'image/png' });
const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('Profile picture', { selector: 'input' }), {
    target: { files: [file] },
  });

describe('a failure is shown in view', () => {
  test('a failed save shows its message next to the pressed button', async () => {
    const scrolls = watchScrolling();
    const { save } = await openProfile(() => {
      throw unreachable();
    });
    await save();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We cannot reach the server');
    expect(follows(alert, screen.getByLabelText('Repeat password'))).toBe(true);
    expect(scrolls.at(-1)?.text).toContain('We cannot reach the server');
  });

  test('a failed sign-up shows its message next to the pressed button', async () => {
    const { user, signUp } = await openSignUp(() => {
      throw unreachable();
    });
    await fillAccount(user);
    await signUp();
    const alert = await screen.findByRole('alert');
    expect(follows(alert, screen.getByLabelText('City'))).toBe(true);
  });

  test.each([
    ['scrolls smoothly', false, 'smooth'],
    ['scrolls at once with reduced motion', true, 'auto'],
  ])('the page %s to the changes of another editor', async (...row) => {
    const [, isCalm, behavior] = row;
    vi.stubGlobal('matchMedia', (media: string) =>
      Object.assign(new EventTarget(), { matches: isCalm && media.includes('reduce'), media }),
    );
    const scrolls = watchScrolling();
    const { server, save, user } = await openProfile(() => {
      throw apiFailure('profile.version_conflict');
    });
    server.use({
      checkUser: () => ({ remainingTime: 3_600, user: userView({ city: 'Tromsø', version: 4 }) }),
    });
    await user.type(screen.getByLabelText('City'), 'x');
    await save();
    const alert = await screen.findByRole('alert');
    expect(await within(alert).findByText('Tromsø')).toBeInTheDocument();
    expect(alert).toHaveFocus();
    expect(scrolls.filter(({ text }) => text.includes('You changed your profile in another tab'))).toEqual([
      expect.objectContaining({ behavior }),
    ]);
  });
});

describe('the focus moves to the invalid field', () => {
  test('the first submit focuses the first invalid field, even if the browser paints at once', async () => {
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
      callback(0);
      return 0;
    });
    const { signUp } = await openSignUp(() => {
      throw unreachable();
    });
    await signUp();
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus());
  });

  test('a field that the server rejects has the focus and its message, once', async () => {
    const { user, signUp } = await openSignUp(() => {
      throw apiFailure('request.invalid', { city: 'No such city' });
    });
    await fillAccount(user);
    await signUp();
    expect(await screen.findAllByRole('alert')).toHaveLength(1);
    await waitFor(() => expect(screen.getByLabelText('City')).toHaveFocus());
    expect(screen.getByLabelText('City')).toHaveAccessibleDescription('No such city');
    await user.type(screen.getByLabelText('City'), 'x');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('a taken email is reported once, at the email', async () => {
    const { user, signUp } = await openSignUp(() => {
      throw apiFailure('identity.email_taken');
    });
    await fillAccount(user);
    await signUp();
    expect(await screen.findAllByText('Email Exists! Please use another email.')).toHaveLength(1);
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus());
  });

  test('a server error about an unknown field is shown next to the button', async () => {
    const { user, signUp } = await openSignUp(() => {
      throw apiFailure('request.invalid', { somethingElse: 'is wrong' });
    });
    await fillAccount(user);
    await signUp();
    const alert = await screen.findByRole('alert');
    expect(follows(alert, screen.getByLabelText('City'))).toBe(true);
  });

  test('a rejected picture is reported once, until another is chosen', async () => {
    const message = 'Invalid file type. Only PNG, JPEG, and GIF are allowed.';
    const { save } = await openProfile(() => {
      throw apiFailure('profile.picture_type');
    });
    choose(png('not-really.png'));
    await save();
    expect(await screen.findAllByText(message)).toHaveLength(1);
    const input = screen.getByLabelText('Profile picture', { selector: 'input' });
    await waitFor(() => expect(input).toHaveFocus());
    expect(input).toBeInvalid();
    choose(png('good.png'));
    expect(screen.queryByText(message)).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('a double click', () => {
  test('on Sign Up sends one request', async () => {
    const { server, user } = await openSignUp(() => {
      throw apiFailure('service.unavailable');
    });
    await fillAccount(user);
    const button = screen.getByRole('button', { name: 'Sign Up' });
    // Both clicks in one task: React renders nothing between them.
    button.click();
    button.click();
    await screen.findByRole('alert');
    expect(server.requestsTo('signup')).toHaveLength(1);
  });

  test('on Save sends one request', async () => {
    const { server } = await openProfile(() => {
      throw apiFailure('service.unavailable');
    });
    const button = screen.getByRole('button', { name: 'Save' });
    button.click();
    button.click();
    await screen.findByRole('alert');
    expect(server.requestsTo('updateUser')).toHaveLength(1);
  });
});
