/**
 * The profile fields, in the order in which forms and messages list them. Free of Joi, so that a browser can load it
 * without the schemas. A new optional field is one entry here and a migration.
 */
export const PROFILE_FIELDS = [
  {
    name: 'firstName',
    label: 'First name',
    control: 'text',
    autoComplete: 'given-name',
    group: 'person',
    optional: false,
  },
  {
    name: 'lastName',
    label: 'Last name',
    control: 'text',
    autoComplete: 'family-name',
    group: 'person',
    optional: false,
  },
  {
    name: 'organizationName',
    label: 'Organization name',
    shortLabel: 'Organization',
    control: 'text',
    autoComplete: 'organization',
    group: 'work',
    optional: false,
  },
  {
    name: 'typeOfOrganization',
    label: 'Agency, TA or Hiring Manager',
    control: 'select',
    options: 'organizationTypes',
    emptyOption: 'Choose one',
    group: 'work',
    optional: false,
  },
  {
    name: 'primaryRecruitingIndustry',
    label: 'Primary recruiting industry',
    control: 'suggestions',
    options: 'industries',
    group: 'work',
    optional: false,
  },
  {
    name: 'linkedin',
    label: 'LinkedIn URL',
    control: 'text',
    autoComplete: 'url',
    group: 'work',
    optional: true,
  },
  {
    name: 'country',
    inputName: 'selectCountry',
    label: 'Country',
    control: 'combobox',
    options: 'countries',
    placeholder: 'Type to find yours',
    group: 'location',
    optional: false,
  },
  {
    name: 'city',
    label: 'City',
    control: 'text',
    autoComplete: 'address-level2',
    group: 'location',
    optional: false,
  },
  {
    name: 'roleType',
    label: 'Role type',
    control: 'select',
    options: 'roleTypes',
    emptyOption: 'Not set',
    group: 'work',
    optional: true,
    adminOnly: true,
  },
] as const;

export type ProfileFieldName = (typeof PROFILE_FIELDS)[number]['name'];

export type OptionListName = Extract<(typeof PROFILE_FIELDS)[number], { options: string }>['options'];

/**
 * The attributes that an entry may have.
 * `inputName`: the form's name of the field, where it differs from the name in requests.
 * `shortLabel`: the label in tables of details. `options`: the list that a select or combobox offers; a field with
 * suggestions also takes other values. `adminOnly`: only an admin's form has the field.
 */
export type ProfileField = {
  name: ProfileFieldName;
  inputName?: string;
  label: string;
  shortLabel?: string;
  control: 'text' | 'select' | 'combobox' | 'suggestions';
  options?: OptionListName;
  emptyOption?: string;
  placeholder?: string;
  autoComplete?: string;
  group: 'person' | 'work' | 'location';
  optional: boolean;
  adminOnly?: boolean;
};
