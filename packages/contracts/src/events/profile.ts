import { amount, nonEmptyText as text } from '../schemas/validation.ts';
import { type DataOf, defineEvent } from './define.ts';

export const profileUpdated = defineEvent('profile.ProfileUpdated.v1', {
  summary: 'A profile was edited.',
  data: { version: amount, email: text, firstName: text, lastName: text, organizationName: text },
});
export type ProfileUpdated = DataOf<typeof profileUpdated>;
