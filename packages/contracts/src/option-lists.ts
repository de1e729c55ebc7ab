import countries from './countries.json' with { type: 'json' };

/** The options of 'Agency, TA or Hiring Manager'; also the admin form's company types (docs/product.md). */
export const ORGANIZATION_TYPES = ['Recruitment Agency', 'Talent Acquisition', 'Hiring Manager'] as const;

/** The role types of the admin form (docs/product.md). */
export const ROLE_TYPES = ['Single Role', 'Multiple Role'] as const;

/** Suggestions for the primary recruiting industry; any other text is accepted. */
export const INDUSTRIES = [
  'Accounting and Finance',
  'Advertising and Marketing',
  'Aerospace and Defence',
  'Agriculture',
  'Automotive',
  'Banking and Insurance',
  'Biotechnology',
  'Construction',
  'Consumer Goods',
  'Education',
  'Energy and Utilities',
  'Engineering',
  'Fashion and Retail',
  'Government and Public Sector',
  'Healthcare',
  'Hospitality and Travel',
  'Human Resources',
  'Information Technology',
  'Legal',
  'Logistics and Supply Chain',
  'Manufacturing',
  'Media and Entertainment',
  'Non-profit',
  'Pharmaceuticals',
  'Professional Services',
  'Real Estate',
  'Sales',
  'Software',
  'Telecommunications',
  'Other',
] as const;

/** The countries of ISO 3166-1 by common names. Profiles store the name, so no name is ever removed (docs/product.md). */
export const COUNTRIES: readonly string[] = Object.keys(countries);

/** Other names by which people look for a country: official, short, former and native ones. */
export const COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = countries;

/** The option lists, by the name that profile fields refer to. */
export const OPTION_LISTS = {
  organizationTypes: ORGANIZATION_TYPES,
  industries: INDUSTRIES,
  countries: COUNTRIES,
  roleTypes: ROLE_TYPES,
} as const;
export type OptionListName = keyof typeof OPTION_LISTS;
