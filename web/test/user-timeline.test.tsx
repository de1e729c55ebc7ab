import type { TimelineView } from '@shortlist/contracts/api/timeline';
import { days } from '@shortlist/contracts/durations';
import { TIMELINE_PAGE } from '@shortlist/contracts/limits';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { noteView, TIMELINE, userDevice, userView } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const { id } = userView();
const PAGE = `/admin/edit-user?user_id=${id}&tab=timeline`;
const open = (responses: Parameters<typeof fakeServer>[0] = {}, path = PAGE) => {
  logInAdmin();
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    timeline: () => ({ data: TIMELINE, next: null, missing: [] }),
    ...responses,
  });
  return { server, ...openApp(path) };
};
const panel = async () => within(await screen.findByRole('region', { name: 'Timeline' }));

describe('the timeline', () => {
  test('says what happened in words, with a link to a payment', async () => {
    open();
    const timeline = await panel();
    await timeline.findByText('Signed up');
    const texts = timeline.getAllByRole('listitem').map(({ textContent }) => textContent);
    for (const [index, text] of [
      /Note by Tomasz ZielińskiWants invoices with the VAT number\.$/,
      /Profile changedBy Inês Carvalho\. Reason: Asked by email\. City: Bergen instead of Oslo$/,
      /Email: Your receiptNot delivered$/,
      /5 credits used 2 times/,
    ].entries())
      expect(texts[index]).toMatch(text);
    for (const text of [
      'Extra credits from support',
      '+50 credits',
      'Premium no longer renews',
      '$59.00 a month',
      'The payer disputed $59.00',
      '$10.00 refunded',
      '$59.00 paid',
      'A payment of €19.00 failed',
      'Signed in on Chrome on Windows',
      'Password. Gothenburg, Sweden. We sent an email',
      'Email confirmed',
    ])
      expect(timeline.getByText(text)).toBeVisible();
    expect(timeline.getByText(/^Credit pack, 250 credits/)).toBeVisible();
    expect(timeline.getAllByRole('link', { name: 'Invoice SL-01193' })[0]).toHaveAttribute(
      'href',
      '/admin/payment?id=in_1',
    );
  });

  test('says why an email was not sent that its reader has turned off', async () => {
    const email = { subject: 'Three tips', state: 'not_sent', why: 'turned_off' } as const;
    open({
      timeline: () => ({
        data: [{ id: 'email-1', at: '2026-11-18T09:12:00.000Z', email }],
        next: null,
        missing: [],
      }),
    });
    const timeline = await panel();
    expect(await timeline.findByText('Email: Three tips')).toBeVisible();
    expect(timeline.getByText('Not sent: the user turned these emails off')).toBeVisible();
  });

  test('folds charges of one day into a line that opens', async () => {
    const { user } = open();
    const timeline = await panel();
    const fold = await timeline.findByText(/5 credits used/);
    expect(timeline.queryByText('Message composed', { exact: false })).not.toBeInTheDocument();
    await user.click(fold);
    const charges = await within(fold.closest('details') ?? document.body).findAllByRole('listitem');
    expect(charges.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/Email found −1 credit\. Jonas Feldmann$/),
      expect.stringMatching(/Message composed −4 credits\. Jonas Feldmann$/),
    ]);
  });

  test('is filtered by kind in the address', async () => {
    const { server, user } = open();
    const timeline = await panel();
    await timeline.findByText('Signed up');
    server.use({ timeline: () => ({ data: [], next: null, missing: [] }) });
    await user.selectOptions(timeline.getByLabelText('Show'), 'Emails');
    expect(await screen.findByText('There is nothing of this kind.')).toBeVisible();
    expect(address()).toBe(`${PAGE}&kind=emails`);
    expect(server.requestsTo('timeline').at(-1)?.query.get('kind')).toBe('emails');
    await user.click(screen.getByRole('button', { name: 'Show everything' }));
    await waitFor(() => expect(address()).toBe(PAGE));
  });

  test('shows older entries below the others, and keeps them after a failure', async () => {
    const entries = Array.from({ length: 40 }, (_, index): TimelineView => ({
      id: `email-${index}`,
      at: new Date(Date.UTC(2026, 10, 28) - days(index)).toISOString(),
      email: { subject: `Number ${index}`, state: 'delivered' },
    }));
    const { server, user } = open({
      timeline: ({ query }) => {
        const limit = Number(query.get('limit'));
        return { data: entries.slice(0, limit), next: limit < 40 ? '1.email' : null, missing: [] };
      },
    });
    const timeline = await panel();
    await timeline.findByText('Email: Number 0');
    expect(timeline.getAllByRole('listitem')).toHaveLength(TIMELINE_PAGE);
    const read = server.requestsTo('timeline');
    expect(read[0]?.query.get('limit')).toBe(String(TIMELINE_PAGE));
    await user.click(timeline.getByRole('button', { name: 'Show older' }));
    expect(await timeline.findByText('Email: Number 39')).toBeVisible();
    expect(timeline.getAllByRole('listitem')).toHaveLength(40);
    expect(timeline.queryByRole('button', { name: 'Show older' })).not.toBeInTheDocument();
  });

  test('says in words what a service that does not respond leaves out, and reads it again', async () => {
    const { server, user } = open({
      timeline: () => ({ data: [], next: null, missing: ['billing', 'worker'] }),
    });
    expect(await screen.findByText(/Missing: payments and emails\./)).toBeVisible();
    expect(screen.queryByText('Nothing has happened yet.')).not.toBeInTheDocument();
    server.use({ timeline: () => ({ data: TIMELINE, next: null, missing: [] }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Signed up')).toBeVisible();
    expect(screen.queryByText(/Missing/)).not.toBeInTheDocument();
  });

  test('D6 offers no kind that the role may not read', async () => {
    open({ checkAdmin: () => ({ remainingTime: 3_600, role: 'support' }) });
    const timeline = await panel();
    await timeline.findByText('Signed up');
    expect(timeline.getByRole('option', { name: 'Emails' })).toBeInTheDocument();
    expect(timeline.queryByRole('option', { name: 'Payments' })).not.toBeInTheDocument();
  });
});

describe('at a glance', () => {
  test('are the plan, credits, sessions, the email and the latest note', async () => {
    open({
      listUserDevices: () => ({ data: [userDevice(1)] }),
      userNotes: () => ({ data: [noteView(1), noteView(2, { text: 'Older' })] }),
    });
    const facts = within(await screen.findByRole('region', { name: 'At a glance' }));
    expect(facts.getByText('Free')).toBeVisible();
    expect(facts.getByText('20 of 20')).toBeVisible();
    expect(facts.getByText(/^Nov 20, 2026/)).toBeVisible();
    expect(facts.getByText('Yes')).toBeVisible();
    const note = within(screen.getByRole('region', { name: 'Latest note' }));
    expect(note.getByText('Wants invoices with the VAT number.')).toBeVisible();
    expect(note.queryByText('Older')).not.toBeInTheDocument();
    expect(note.getByRole('link', { name: 'All notes' })).toHaveAttribute(
      'href',
      `/admin/edit-user?user_id=${id}&tab=notes`,
    );
  });

  test.each([
    ['userBuckets', 'Credits'],
    ['listUserDevices', 'Last seen'],
    ['accountStatus', 'Plan'],
  ] as const)('each fact falls out alone: %s', async (endpoint, fact) => {
    open({
      [endpoint]: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const facts = within(await screen.findByRole('region', { name: 'At a glance' }));
    const row = facts.getByText(fact).parentElement;
    expect(row).toHaveTextContent(`${fact}Not available right now`);
    expect(await (await panel()).findByText('Signed up')).toBeVisible();
  });
});
