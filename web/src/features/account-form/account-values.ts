import type { UserView } from '@shortlist/contracts/api/public';
import type { Values } from '../../lib/form/use-form.ts';

/** The form's own names: what is called selectCountry here is sent as country, passwordRepeat stays here. */
export type AccountValues = {
  email: string;
  password: string;
  passwordRepeat: string;
  firstName: string;
  lastName: string;
  organizationName: string;
  typeOfOrganization: string;
  primaryRecruitingIndustry: string;
  selectCountry: string;
  city: string;
  linkedin: string;
  /** Asked for by the admin's form alone. */
  roleType: string;
};

export const emptyAccount: AccountValues = {
  email: '',
  password: '',
  passwordRepeat: '',
  firstName: '',
  lastName: '',
  organizationName: '',
  typeOfOrganization: '',
  primaryRecruitingIndustry: '',
  selectCountry: '',
  city: '',
  linkedin: '',
  roleType: '',
};

export const accountValuesOf = (user: UserView): AccountValues => ({
  email: user.email,
  password: '',
  passwordRepeat: '',
  firstName: user.firstName,
  lastName: user.lastName,
  organizationName: user.organizationName,
  typeOfOrganization: user.typeOfOrganization,
  primaryRecruitingIndustry: user.primaryRecruitingIndustry,
  selectCountry: user.country,
  city: user.city,
  linkedin: user.linkedin,
  roleType: user.roleType,
});

/** What the doors take. An empty password is left out: it means that the old one stays. */
export const accountInputOf = (values: AccountValues): Values => {
  const { passwordRepeat: _repeat, selectCountry, password, ...rest } = values;
  return { ...rest, country: selectCountry, ...(password === '' ? {} : { password }) };
};

type AccountFormInput = { values: AccountValues; file: File | null; version?: number; isAdmin?: boolean };

export const accountFormData = ({ values, file, version, isAdmin = false }: AccountFormInput): FormData => {
  const form = new FormData();
  const { roleType = '', ...ownFields } = accountInputOf(values);
  const input = isAdmin ? { ...ownFields, roleType } : ownFields;
  const { email: _email, ...withoutEmail } = input;
  const isEdit = version !== undefined;
  form.append('userData', JSON.stringify(isEdit ? { ...withoutEmail, version } : input));
  if (file !== null) form.append('file', file, file.name);
  return form;
};
