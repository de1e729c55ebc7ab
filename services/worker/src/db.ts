import { mailEntity } from './mail/mail.entity.ts';
import { initial } from './migrations/0001-initial.ts';
import { redaction } from './migrations/0002-redaction.ts';

export const schema = { entities: [mailEntity], migrations: [initial, redaction] };
