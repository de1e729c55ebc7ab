import { windowEntity } from './windows/window.entity.ts';
import { initial } from './migrations/0001-initial.ts';

export const schema = { entities: [windowEntity], migrations: [initial] };
