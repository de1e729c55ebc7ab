import { CITY_MIN, LINKEDIN_MAX, NAME_MAX, NAME_MIN, ORGANIZATION_MAX } from './limits.ts';
import type { OptionListName } from './option-lists.ts';

/**
 * `inputName`: the field's name in the form, if it differs from that in requests. `shortLabel`: in tables of details, which show the fields
 * with `isName` in one row. `options`: those of a list; with suggestions, other values are accepted too. `site`: the value must be a URL on
 * this site. `messages`: agreed verbatim, misspellings included. `csvHeader`: fields with the same header share a cell; null: not exported.
 */
type FieldAttributes = {
  name: string;
  inputName?: string;
  label: string;
  shortLabel?: string;
  control: 'text' | 'select' | 'combobox' | 'suggestions';
  options?: OptionListName;
  emptyOption?: string;
  placeholder?: string;
  autoComplete?: string;
  group: 'person' | 'work' | 'location';
  isName?: boolean;
  optional?: boolean;
  adminOnly?: boolean;
  min?: number;
  max: number;
  site?: string;
  messages?: { required: string; min?: string };
  csvHeader: string | null;
};

/** The longest choice of a select, and of the list of countries. */
const CHOICE_MAX = 40;
const COUNTRY_MAX = 60;

/** The profile fields in the order of forms. Schemas, event, columns, form and export derive from them. Without Joi, for browsers. */
export const PROFILE_FIELDS = [
  {
    name: 'firstName',
    label: 'First name',
    control: 'text',
    autoComplete: 'given-name',
    group: 'person',
    isName: true,
    min: NAME_MIN,
    max: NAME_MAX,
    messages: {
      required: 'You need to write your first name here',
      min: 'Your first name must contain at lest two character',
    },
    csvHeader: 'Full Name',
  },
  {
    name: 'lastName',
    label: 'Last name',
    control: 'text',
    autoComplete: 'family-name',
    group: 'person',
    isName: true,
    min: NAME_MIN,
    max: NAME_MAX,
    messages: {
      required: 'You need to write your last name here',
      min: 'Your last name must contain at lest two character',
    },
    csvHeader: 'Full Name',
  },
  {
    name: 'organizationName',
    label: 'Organization name',
    shortLabel: 'Organization',
    control: 'text',
    autoComplete: 'organization',
    group: 'work',
    max: ORGANIZATION_MAX,
    messages: { required: 'You need to write the name of your organization' },
    csvHeader: 'Organization',
  },
  {
    name: 'typeOfOrganization',
    label: 'Agency, TA or Hiring Manager',
    control: 'select',
    options: 'organizationTypes',
    emptyOption: 'Choose one',
    group: 'work',
    max: CHOICE_MAX,
    messages: { required: 'Please select the type of your organization' },
    csvHeader: null,
  },
  {
    name: 'primaryRecruitingIndustry',
    label: 'Primary recruiting industry',
    control: 'suggestions',
    options: 'industries',
    group: 'work',
    max: NAME_MAX,
    messages: { required: 'You need to write your primary recruiting industry' },
    csvHeader: null,
  },
  {
    name: 'linkedin',
    label: 'LinkedIn URL',
    control: 'text',
    autoComplete: 'url',
    group: 'work',
    optional: true,
    max: LINKEDIN_MAX,
    site: 'linkedin.com',
    messages: {
      required: 'Please enter a LinkedIn URL, such as linkedin.com/in/your-name, or leave this empty',
    },
    csvHeader: null,
  },
  {
    name: 'country',
    inputName: 'selectCountry',
    label: 'Country',
    control: 'combobox',
    options: 'countries',
    placeholder: 'Type to find yours',
    group: 'location',
    max: COUNTRY_MAX,
    messages: { required: 'Please select a country' },
    csvHeader: 'Country',
  },
  {
    name: 'city',
    label: 'City',
    control: 'text',
    autoComplete: 'address-level2',
    group: 'location',
    min: CITY_MIN,
    max: NAME_MAX,
    messages: {
      required: 'Please type the name of your home city (eg London, Paris etc)',
      min: 'The name of your home city must contain at lest two character',
    },
    csvHeader: null,
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
    max: CHOICE_MAX,
    messages: { required: 'Please select a role type' },
    csvHeader: null,
  },
] as const satisfies readonly FieldAttributes[];

type Entry = (typeof PROFILE_FIELDS)[number];

export type ProfileFieldName = Entry['name'];
export type AdminFieldName = Extract<Entry, { adminOnly: true }>['name'];
/** A field that a user may leave empty. */
export type OptionalFieldName = Exclude<Extract<Entry, { optional: true }>['name'], AdminFieldName>;
/** A field of the export and the directory. */
export type ListedFieldName = Extract<Entry, { csvHeader: string }>['name'];

/** `column`: in the database, the name in snake_case. */
export type ProfileField = FieldAttributes & { name: ProfileFieldName; column: string };

/** The same list with the type of all attributes. */
export const profileFields: readonly ProfileField[] = PROFILE_FIELDS.map((field) => ({
  ...field,
  column: field.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}));

/** The fields of the export and the directory. */
export const listedFields = profileFields.filter(({ csvHeader }) => csvHeader !== null);

/** A record with one value for each of these fields. */
export const mapFields = <Value>(
  fields: readonly ProfileField[],
  valueOf: (field: ProfileField) => Value,
): Record<string, Value> => Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
