import type { NewSignIn } from '@shortlist/contracts/api/sign-ins';
import { loginSucceeded, newDeviceUsed } from '@shortlist/contracts/events/access';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import { deleteBeyondLimit, hasSucceeded, insertSignIn } from './queries.ts';

/** A device without a cookie is new, unless the same kind of device was used in the same network. The first log-in of all is not. */
const isNew = async (tx: Tx, { id, isKnownDevice, browser, system, network }: NewSignIn): Promise<boolean> =>
  !isKnownDevice &&
  (await hasSucceeded(tx, id, {})) &&
  !(await hasSucceeded(tx, id, { browser, system, network }));

/** Adds a log-in to the history of the account. */
export const recordSignIn = async (tx: Tx, signIn: NewSignIn, clock: Clock): Promise<void> => {
  const { id: accountId, isKnownDevice: _, sessionId, method, ...origin } = signIn;
  const isNewDevice = await isNew(tx, signIn);
  await insertSignIn(tx, {
    ...{ id: uuidv7(), accountId, at: clock(), outcome: 'succeeded', method, attempts: 1 },
    ...origin,
    ...{ sessionId, isNewDevice, warnedAt: null },
  });
  await deleteBeyondLimit(tx, accountId);
  const data = { ...origin, method, sessionId, isNewDevice };
  await emit(tx, loginSucceeded, { subject: accountId, data, clock });
  if (isNewDevice) await emit(tx, newDeviceUsed, { subject: accountId, data: origin, clock });
};
