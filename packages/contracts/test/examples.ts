import { COUNTRIES, ORGANIZATION_TYPES } from '../src/option-lists.ts';
import type { ProfileFields } from '../src/schemas/account.ts';

/** The fields of a valid profile, for tests: a new field needs a value only here, not in unrelated tests. */
export const exampleProfile = (changes: Partial<ProfileFields> = {}): ProfileFields => ({
  firstName: 'Ana',
  lastName: 'Souza',
  organizationName: 'Talent Field',
  typeOfOrganization: ORGANIZATION_TYPES[0],
  primaryRecruitingIndustry: 'Software',
  country: COUNTRIES[0] ?? '',
  city: 'Recife',
  linkedin: '',
  ...changes,
});

/** The parameters that have a form of their own. */
const FORMS: Record<string, string> = {
  alertId: 'dispute_opened:du_1',
  consumer: 'credits',
  position: '0:1',
  queue: 'mail',
};

/** The path of an endpoint with `id` for each id in it. */
export const examplePath = ({ path }: { path: string }, id: string): string =>
  path.replace(/:(\w+)/g, (_parameter, name: string) => encodeURIComponent(FORMS[name] ?? id));
