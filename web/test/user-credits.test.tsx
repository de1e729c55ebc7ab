import type { BucketRecord, CreditBucket } from '@shortlist/contracts/api/credits';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { grantRecord, packRecord, planBucket, userView } from './fixtures.ts';
import { fill, logInAdmin, openApp } from './render-app.tsx';

const GRANT = grantRecord();
const PACK = packRecord();

const ORDER = ['grant', 'plan', 'pack'];

/** What can be charged: grants that end before the plan, the plan, and packs. */
const bucketsOf = (records: BucketRecord[]): CreditBucket[] =>
  [planBucket(), ...records]
    .filter(({ available }) => available > 0)
    .map(({ id, kind, credits, used, available, endsAt }) => ({ id, kind, credits, used, available, endsAt }))
    .toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));

/** A user whose credits are kept here. */
const openUser = (records: BucketRecord[] = [], responses: Parameters<typeof fakeServer>[0] = {}) => {
  logInAdmin();
  const state = { records };
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    userBuckets: () => ({
      data: {
        available: 14 + state.records.reduce((sum, { available }) => sum + available, 0),
        buckets: bucketsOf(state.records),
        records: state.records,
      },
    }),
    grantCredits: ({ params, body }) => {
      if (body['reason'] === '') throw apiFailure('request.invalid', { reason: 'Please enter a reason' });
      const granted = { ...GRANT, id: String(params['grantId']), used: 0, available: 50 };
      state.records = [granted, ...state.records];
      return { data: granted };
    },
    revokeCredits: () => {
      const [first, ...others] = state.records;
      if (first === undefined) throw apiFailure('credits.grant_not_found');
      const revoked = { ...first, available: 0, isOver: true };
      state.records = [revoked, ...others];
      return { data: revoked };
    },
    ...responses,
  });
  return { server, ...openApp(`/admin/edit-user?user_id=${userView().id}&tab=credits`) };
};
const panel = async (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Credits' });

describe('the credits of a user', () => {
  test('are listed by bucket for an admin, with the reason of a grant', async () => {
    openUser([GRANT, PACK, { ...GRANT, id: 'over', isOver: true, available: 0 }]);
    const credits = within(await panel());
    expect(credits.getByText('292 credits available')).toBeVisible();
    const rows = credits.getAllByRole('row').map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
    expect(rows.slice(1)).toEqual([
      [
        'Granted by an adminReason: The import lost a day',
        '1st',
        'Nov 30, 2026',
        '50',
        '12',
        '38',
        'Take back',
      ],
      ['Plan', '2nd', 'Dec 12, 2026', '20', '6', '14', ''],
      ['Pack of 250', '3rd', 'Never', '250', '10', '240', ''],
      ['Granted by an adminReason: The import lost a day', '–', 'Ended', '50', '12', '0', ''],
      ['All in use', '320', '28', '292', ''],
    ]);
  });

  test('are given by an admin once, with a number, a last day and a reason', async () => {
    const { user, server } = openUser();
    await user.click(within(await panel()).getByRole('button', { name: 'Grant credits' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Grant credits?' }));
    await user.click(dialog.getByRole('button', { name: 'Grant 50 credits' }));
    expect(await dialog.findByText('Please enter a reason')).toBeVisible();
    await fill(user, dialog.getByLabelText('Reason'), ' The import lost a day ');
    const day = dialog.getByLabelText('Last day (UTC)');
    expect(day).toHaveAccessibleDescription('Today or later.');
    fireEvent.change(day, { target: { value: '2025-11-30' } });
    expect(day).toHaveAccessibleDescription('This day is in the past. Choose today or a later day.');
    expect(day).toBeInvalid();
    fireEvent.change(day, { target: { value: '2099-11-30' } });
    expect(day).toBeValid();
    await user.click(dialog.getByRole('button', { name: 'Grant 50 credits' }));
    expect(await screen.findByText('50 credits granted.')).toBeVisible();
    expect(await screen.findByText('64 credits available')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    const [refused, sent, ...more] = server.requestsTo('grantCredits');
    expect(more).toEqual([]);
    expect(sent?.body).toEqual({ credits: 50, lastDay: '2099-11-30', reason: 'The import lost a day' });
    expect(sent?.params).toEqual(refused?.params);
  });

  test('are taken back after a question, and only what is left', async () => {
    const { user, server } = openUser([GRANT, PACK]);
    await user.click(within(await panel()).getByRole('button', { name: 'Take back' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Take these credits back?' }));
    expect(server.requestsTo('revokeCredits')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Take back 38 credits' }));
    expect(await screen.findByText('38 credits taken back.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull();
    expect(server.requestsTo('revokeCredits')[0]?.params).toEqual({
      userId: userView().id,
      grantId: GRANT.id,
    });
  });

  test.each(['read_only', 'finance'] as const)('are only read by the role %s', async (role) => {
    openUser([GRANT], { checkAdmin: () => ({ remainingTime: 3_600, role }) });
    const credits = within(await panel());
    expect(credits.getByText('52 credits available')).toBeVisible();
    expect(credits.queryAllByRole('button')).toEqual([]);
    expect(credits.queryByText('Actions')).not.toBeInTheDocument();
  });
});
