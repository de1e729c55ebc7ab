import { mailEntity } from './mail/queries.ts';
import { initial, redaction } from './migrations.ts';

export const schema = { entities: [mailEntity], migrations: [initial, redaction] };
