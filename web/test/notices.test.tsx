import type { Notice } from '@shortlist/contracts/api/notices';
import { minutes } from '@shortlist/contracts/durations';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { revalidate } from '../src/lib/data/use-query.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { notice } from './fixtures.ts';
import { fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const seen = ({ id, tone, text, linkLabel, linkTo }: Notice) => ({ id, tone, text, linkLabel, linkTo });
const current = (...notices: Notice[]) => ({ data: { notices: notices.map(seen), changesAt: null } });
const home = () => screen.findByRole('heading', { name: 'Account Management Panel' });

afterEach(() => vi.useRealTimers());

describe('the notice above the pages of a user', () => {
  const open = (handlers: Parameters<typeof fakeServer>[0]) => {
    logInUser();
    const server = fakeServer(handlers);
    return { ...server, ...openApp('/') };
  };

  test('is plain text with its link, whatever it contains', async () => {
    const text = 'We <b>moved</b>';
    open({ currentNotices: () => current(notice(1, { text, linkLabel: 'See how', linkTo: '/credits' })) });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See how' })).toHaveAttribute('href', '/credits');
  });

  test('leads to another site in a new tab', async () => {
    const linkTo = 'https://status.test/';
    open({ currentNotices: () => current(notice(1, { linkLabel: 'Status', linkTo })) });
    const link = await screen.findByRole('link', { name: /^Status/ });
    expect(link).toHaveAttribute('href', linkTo);
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('stays away in this browser once it is dismissed, and the next one is shown', async () => {
    const { user } = open({ currentNotices: () => current(notice(1), notice(2)) });
    const heading = await home();
    expect(await screen.findByText('Notice 1')).toBeVisible();
    expect(screen.queryByText('Notice 2')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Dismiss this notice' }));
    expect(screen.getByText('Notice 2')).toBeVisible();
    expect(screen.queryByText('Notice 1')).toBeNull();
    expect(heading).toHaveFocus();
    expect(localStorage.getItem('dismissedNotices')).toContain(notice(1).id);
  });

  test('comes when its time begins, without another visit', async () => {
    const changesAt = new Date(Date.now() + minutes(2)).toISOString();
    let isThere = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    open({
      currentNotices: () => (isThere ? current(notice(1)) : { data: { notices: [], changesAt } }),
    });
    await home();
    await waitFor(() => expect(screen.queryByText('Notice 1')).toBeNull());
    isThere = true;
    await act(() => vi.advanceTimersByTimeAsync(minutes(3)));
    expect(await screen.findByText('Notice 1')).toBeVisible();
  });

  const remember = (changesAt: string | null): void =>
    localStorage.setItem('currentNotices', JSON.stringify({ notices: [seen(notice(1))], changesAt }));
  const checkUser = () => new Promise<never>(() => undefined);

  test('is part of the first paint of the next page', () => {
    remember(null);
    open({ checkUser });
    expect(screen.getByText('Notice 1')).toBeVisible();
  });

  test('is not shown from memory once it may be over', () => {
    remember(new Date(Date.now() - 1).toISOString());
    open({ checkUser });
    expect(screen.queryByText('Notice 1')).toBeNull();
  });

  test('is remembered while it is there', async () => {
    let isThere = true;
    open({ currentNotices: () => (isThere ? current(notice(1)) : current()) });
    await waitFor(() => expect(localStorage.getItem('currentNotices')).toContain('Notice 1'));
    isThere = false;
    await act(() => revalidate(['notices']));
    await waitFor(() => expect(localStorage.getItem('currentNotices')).toBeNull());
  });

  test('is forgotten with the session', async () => {
    remember(null);
    open({ checkUser: () => Promise.reject(apiFailure('session.missing')) });
    await waitFor(() => expect(localStorage.getItem('currentNotices')).toBeNull());
  });

  test('costs the page nothing while notices cannot be read', async () => {
    open({
      currentNotices: () => {
        throw apiFailure('service.unavailable');
      },
    });
    expect(await home()).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Dismiss this notice' })).toBeNull();
  });
});

describe('the page of the notices', () => {
  const open = (notices: Notice[], handlers: Parameters<typeof fakeServer>[0] = {}) => {
    logInAdmin();
    const server = fakeServer({ notices: () => ({ data: notices }), ...handlers });
    return { ...server, ...openApp('/admin/notices') };
  };
  const panel = async (name: string) => within(await screen.findByRole('region', { name }));

  test('lists them by what they are now', async () => {
    open([
      notice(1),
      notice(2, { from: '2098-01-01T09:00:00.000Z' }),
      notice(3, { until: '2026-01-02T09:00:00.000Z' }),
    ]);
    expect((await panel('Shown now')).getByText('Notice 1')).toBeVisible();
    expect((await panel('Planned')).getByText('Notice 2')).toBeVisible();
    const over = await panel('Over');
    expect(over.getByText('Notice 3')).toBeVisible();
    expect(over.queryByRole('button')).toBeNull();
  });

  test('moves a notice that begins while the page is open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true });
    open([notice(1, { from: new Date(Date.now() + minutes(2)).toISOString() })]);
    expect((await panel('Planned')).getByText('Notice 1')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(minutes(3)));
    expect((await panel('Shown now')).getByText('Notice 1')).toBeVisible();
  });

  test('has a form that previews who sees the notice, and sends the times of the admin', async () => {
    const { user, requestsTo } = open([], { createNotice: () => ({}) });
    await user.click(await screen.findByRole('button', { name: 'New notice' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('radio', { name: 'Premium users' }));
    await fill(user, dialog.getByLabelText('Text'), 'We moved');
    const preview = within(dialog.getByRole('region', { name: 'Preview' }));
    expect(preview.getByText('They do not see it')).toBeVisible();
    expect(preview.getAllByText('We moved')).toHaveLength(1);
    await user.click(dialog.getByRole('button', { name: 'Save notice' }));
    expect(await screen.findByText('The notice is saved')).toBeVisible();
    const [{ body } = {}] = requestsTo('createNotice');
    expect(body).toMatchObject({ audience: 'premium', tone: 'info', text: 'We moved', linkTo: '' });
    expect((body as Notice).from).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
  });

  test('sends a notice again under its id, and a changed one under another', async () => {
    const { user, requestsTo } = open([], {
      createNotice: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'New notice' }));
    const dialog = within(screen.getByRole('dialog'));
    const save = () => user.click(dialog.getByRole('button', { name: 'Save notice' }));
    await fill(user, dialog.getByLabelText('Text'), 'We moved');
    await save();
    await waitFor(() => expect(requestsTo('createNotice')).toHaveLength(1));
    await save();
    await waitFor(() => expect(requestsTo('createNotice')).toHaveLength(2));
    await fill(user, dialog.getByLabelText('Text'), ' again');
    await save();
    await waitFor(() => expect(requestsTo('createNotice')).toHaveLength(3));
    const [first, second, third] = requestsTo('createNotice').map(({ params }) => params['noticeId']);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('does not write over the change of another admin, not even when it is saved again', async () => {
    const notices = [notice(1, { version: 3 })];
    const { user, requestsTo } = open(notices, {
      changeNotice: () => {
        notices[0] = notice(1, { text: 'Of another admin', version: 4 });
        throw apiFailure('profile.notice_conflict');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Change the notice: Notice 1' }));
    const dialog = within(screen.getByRole('dialog'));
    const save = () => user.click(dialog.getByRole('button', { name: 'Save notice' }));
    await save();
    expect(await dialog.findByText(/This notice was changed in the meantime/)).toBeVisible();
    expect(await screen.findByText('Of another admin')).toBeInTheDocument();
    await save();
    await waitFor(() => expect(requestsTo('changeNotice')).toHaveLength(2));
    const versions = requestsTo('changeNotice').map(({ body }) => (body as Notice).version);
    expect(versions).toEqual([3, 3]);
  });

  test('ends a notice after a question', async () => {
    const { user, requestsTo } = open([notice(1)], { endNotice: () => ({}) });
    await user.click(await screen.findByRole('button', { name: 'End the notice: Notice 1' }));
    await user.click(screen.getByRole('button', { name: 'End notice' }));
    expect(await screen.findByText('The notice is over')).toBeVisible();
    expect(requestsTo('endNotice').map(({ params }) => params['noticeId'])).toEqual([notice(1).id]);
  });
});
