import { passwordResetRequested } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import { findAccountOfAnyRole } from '../accounts/queries.ts';

/**
 * Causes the mail with the link. For an address without an account the same event is emitted about an id that no account has, so
 * that the response, its time and the rows written do not show which addresses have accounts.
 */
export const requestReset = async (
  tx: Tx,
  { email, clock }: { email: string; clock: Clock },
): Promise<void> => {
  const account = await findAccountOfAnyRole(tx, email);
  await emit(tx, passwordResetRequested, { subject: account?.id ?? uuidv7(), data: {}, clock });
};
