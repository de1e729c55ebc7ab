import { recordAdminChange } from '@shortlist/audit/audit-log';
import { accountViewed } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { lockAccount } from '../accounts/queries.ts';
import { deleteBeyondLimit, insertSignIn } from '../accounts/sign-in-queries.ts';

type Viewing = { id: string; reason: string; sessionId: string; caller: Caller; clock: Clock };

/** Without the device and the network of the admin, which are not for the user. */
const NO_ORIGIN = { browser: '', system: '', network: '', place: '' };

/** Records that an admin views the product as a user: in the audit log, and in the history that the user sees. */
export const recordViewing = async (tx: Tx, viewing: Viewing): Promise<void> => {
  const { id, reason, sessionId, caller, clock } = viewing;
  // Locked: a deletion at the same moment redacts the reason, or there is no viewing.
  if ((await lockAccount(tx, id))?.role !== 'user') throw createError('identity.user_not_found');
  await insertSignIn(tx, {
    id: uuidv7(),
    accountId: id,
    at: clock(),
    outcome: 'succeeded',
    method: 'support',
    attempts: 1,
    ...NO_ORIGIN,
    sessionId,
    isNewDevice: false,
    warnedAt: null,
  });
  await deleteBeyondLimit(tx, id);
  const data = { by: caller.userId ?? '', reason, sessionId };
  await emit(tx, accountViewed, { subject: id, data, clock });
  const entry = { action: 'account.view', targetId: id, after: { reason } } as const;
  await recordAdminChange(tx, { ...entry, caller, clock });
};
