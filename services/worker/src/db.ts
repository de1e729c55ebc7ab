import { mailEntity } from './mail/queries.ts';
import { initial } from './migrations.ts';

export const schema = { entities: [mailEntity], migrations: [initial] };
