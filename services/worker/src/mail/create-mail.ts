import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { insertMail, type NewMail } from './queries.ts';

/**
 * Stores the mail that an event causes and returns its id, which also becomes the id of its job. The recipient is the event's user,
 * unless `userId` names another.
 */
export const createMail = async (
  tx: Tx,
  event: CloudEvent<unknown>,
  { template, data, userId = event.subject }: Pick<NewMail, 'template' | 'data'> & { userId?: string },
): Promise<string> => {
  const id = uuidv7();
  await insertMail(tx, { id, template, userId, eventId: event.id, data });
  return id;
};
