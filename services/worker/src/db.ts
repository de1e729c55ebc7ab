import { createOutboxAndInbox } from '@shortlist/kit/migration';
import { createMails } from './migrations/0001-create-mails.ts';

export const schema = { entities: [], migrations: [createOutboxAndInbox, createMails] };
