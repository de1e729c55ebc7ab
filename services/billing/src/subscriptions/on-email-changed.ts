import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { EmailChanged } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { updateEmail } from './queries.ts';

/** Changes nothing for an admin, who is no subscriber; the registration of a user always comes first. */
export const onEmailChanged = (tx: Tx, { subject, data }: CloudEvent<EmailChanged>): Promise<void> =>
  updateEmail(tx, subject, { email: data.email, emailVersion: data.version });
