import { mailEntity } from './mail/mail.entity.ts';
import { initial } from './migrations/0001-initial.ts';

export const schema = { entities: [mailEntity], migrations: [initial] };
