import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { EmailChanged } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { storeEmail } from './store-email.ts';

export const onEmailChanged = (tx: Tx, { subject, data }: CloudEvent<EmailChanged>): Promise<void> =>
  storeEmail(tx, subject, data);
