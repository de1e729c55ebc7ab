import { COUNTRIES, ORGANIZATION_TYPES } from '@shortlist/contracts/option-lists';

let count = 0;
export const newId = (): string => `0198a0b0-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`;

export const profileFields = {
  firstName: 'Ana',
  lastName: 'Souza',
  organizationName: 'Talent Field',
  typeOfOrganization: ORGANIZATION_TYPES[0],
  primaryRecruitingIndustry: 'Software',
  country: COUNTRIES[0] ?? '',
  city: 'Recife',
  linkedin: '',
};
