import { initial } from './migrations/0001-initial.ts';

export const schema = { entities: [], migrations: [initial] };
