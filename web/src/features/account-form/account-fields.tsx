import { COUNTRIES, INDUSTRIES, ORGANIZATION_TYPES, ROLE_TYPES } from '@shortlist/contracts/option-lists';
import type { ReactNode } from 'react';
import type { useForm } from '../../lib/form/use-form.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { AccountValues } from './account-values.ts';
import { strengthOf, type Strength } from './password-strength.ts';

export type AccountFormState = ReturnType<typeof useForm<AccountValues>>;
type FieldsProps = { form: AccountFormState };

export const NameFields = ({ form }: FieldsProps): ReactNode => (
  <>
    <TextField label="First name" autoComplete="given-name" {...form.input('firstName')} />
    <TextField label="Last name" autoComplete="family-name" {...form.input('lastName')} />
  </>
);

export const OrganizationFields = ({ form }: FieldsProps): ReactNode => (
  <>
    <TextField label="Organization name" autoComplete="organization" {...form.input('organizationName')} />
    <SelectField label="Agency, TA or Hiring Manager" {...form.input('typeOfOrganization')}>
      <option value="">Choose one</option>
      {ORGANIZATION_TYPES.map((type) => (
        <option key={type}>{type}</option>
      ))}
    </SelectField>
    <Field label="Primary recruiting industry" error={form.errorOf('primaryRecruitingIndustry')}>
      {(control) => (
        <Combobox
          control={control}
          name="primaryRecruitingIndustry"
          isFree
          choices={INDUSTRIES}
          value={form.values.primaryRecruitingIndustry}
          onChange={(value) => form.set('primaryRecruitingIndustry', value)}
          onBlur={() => form.touch('primaryRecruitingIndustry')}
        />
      )}
    </Field>
    <TextField label="LinkedIn URL" qualifier="optional" autoComplete="url" {...form.input('linkedin')} />
  </>
);

export const RoleTypeField = ({ form }: FieldsProps): ReactNode => (
  <SelectField label="Role type" {...form.input('roleType')}>
    <option value="">Not set</option>
    {ROLE_TYPES.map((type) => (
      <option key={type}>{type}</option>
    ))}
  </SelectField>
);

export const PlaceFields = ({ form }: FieldsProps): ReactNode => (
  <>
    <Field label="Country" error={form.errorOf('selectCountry')}>
      {(control) => (
        <Combobox
          control={control}
          name="selectCountry"
          choices={COUNTRIES}
          placeholder="Type to find yours"
          value={form.values.selectCountry}
          onChange={(value) => form.set('selectCountry', value)}
          onBlur={() => form.touch('selectCountry')}
        />
      )}
    </Field>
    <TextField label="City" autoComplete="address-level2" {...form.input('city')} />
  </>
);

const LEVELS = [1, 2, 3, 4] as const;

const StrengthMeter = ({ strength }: { strength: Strength | null }): ReactNode => (
  <div className="strength" aria-hidden="true">
    {LEVELS.map((level) => (
      <i key={level} className={strength !== null && level <= strength.level ? 'is-filled' : undefined} />
    ))}
  </div>
);

const PASSWORD_UNCHANGED = 'Leave empty to keep the present one.';

type PasswordFieldsProps = FieldsProps & { label: string; note?: string };

export const PasswordFields = ({ form, label, note }: PasswordFieldsProps): ReactNode => {
  const strength = strengthOf(form.values.password);
  const hint = note === undefined ? 'At least six characters. Long beats complicated.' : PASSWORD_UNCHANGED;
  return (
    <>
      <PasswordField
        label={label}
        qualifier={note}
        autoComplete="new-password"
        below={form.values.password !== '' && <StrengthMeter strength={strength} />}
        help={<span role="status">{strength?.label ?? hint}</span>}
        {...form.input('password')}
      />
      <PasswordField label="Repeat password" autoComplete="new-password" {...form.input('passwordRepeat')} />
    </>
  );
};
