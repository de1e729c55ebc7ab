import { COUNTRIES, INDUSTRIES, ORGANIZATION_TYPES, ROLE_TYPES } from '@shortlist/contracts/option-lists';
import type { OptionListName, ProfileField } from '@shortlist/contracts/profile-fields';
import type { ReactNode } from 'react';
import { accountFormText } from '../../messages/account-form.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { inputNameOf, profileFields, type AccountFormState } from './account-values.ts';

const OPTION_LISTS: Record<OptionListName, readonly string[]> = {
  countries: COUNTRIES,
  industries: INDUSTRIES,
  organizationTypes: ORGANIZATION_TYPES,
  roleTypes: ROLE_TYPES,
};

type InputProps = { form: AccountFormState; field: ProfileField };

const optionsOf = ({ options }: ProfileField): readonly string[] =>
  options === undefined ? [] : OPTION_LISTS[options];

const TextInput = ({ form, field }: InputProps): ReactNode => (
  <TextField
    label={field.label}
    qualifier={field.optional ? accountFormText('optional') : undefined}
    autoComplete={field.autoComplete}
    {...form.input(inputNameOf(field))}
  />
);

const SelectInput = ({ form, field }: InputProps): ReactNode => (
  <SelectField label={field.label} {...form.input(inputNameOf(field))}>
    <option value="">{field.emptyOption}</option>
    {optionsOf(field).map((option) => (
      <option key={option}>{option}</option>
    ))}
  </SelectField>
);

const ComboboxInput = ({ form, field }: InputProps): ReactNode => {
  const name = inputNameOf(field);
  return (
    <Field label={field.label} error={form.errorOf(name)}>
      {(control) => (
        <Combobox
          control={control}
          name={name}
          isFree={field.control === 'suggestions'}
          choices={optionsOf(field)}
          placeholder={field.placeholder}
          value={form.values[name]}
          onChange={(value) => form.set(name, value)}
          onBlur={() => form.touch(name)}
        />
      )}
    </Field>
  );
};

const INPUTS = {
  text: TextInput,
  select: SelectInput,
  combobox: ComboboxInput,
  suggestions: ComboboxInput,
} as const satisfies Record<ProfileField['control'], (props: InputProps) => ReactNode>;

type ProfileInputsProps = { form: AccountFormState; group: ProfileField['group']; isAdmin: boolean };

/** The inputs of one group of profile fields. */
export const ProfileInputs = ({ form, group, isAdmin }: ProfileInputsProps): ReactNode =>
  profileFields(isAdmin)
    .filter((field) => field.group === group)
    .map((field) => {
      const Input = INPUTS[field.control];
      return <Input key={field.name} form={form} field={field} />;
    });
