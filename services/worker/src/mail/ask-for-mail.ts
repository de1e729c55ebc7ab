import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { uuidv7 } from 'uuidv7';
import { insertMail } from './queries.ts';
import type { Template } from './templates.ts';

type Asked = { template: Template; data: Record<string, string> };

/** Notes that a fact asks for a mail. Answers the mail's id, under which its job is made. */
export const askForMail = async (
  tx: Tx,
  event: CloudEvent<unknown>,
  { template, data }: Asked,
): Promise<string> => {
  const id = uuidv7();
  await insertMail(tx, { id, template, userId: event.subject, eventId: event.id, data });
  return id;
};
