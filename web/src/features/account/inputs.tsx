import { COUNTRY_NAMES, OPTION_LISTS, type OptionListName } from '@shortlist/contracts/option-lists';
import type { ProfileField } from '@shortlist/contracts/profile-fields';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { bringIntoView } from '../../lib/form/use-form.ts';
import { accountFormText } from '../../messages/account-form.ts';
import { passwordText } from '../../messages/password.ts';
import type { OtherNames } from '../../ui/choices-by-name.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Field, PasswordField, SelectField, TextField } from '../../ui/field.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { type AccountFormState, inputNameOf, profileFields } from './account-values.ts';

type SectionProps = {
  title: string;
  hint?: string | undefined;
  id?: string;
  isLocked: boolean;
  children: ReactNode;
};

/** A section with an id takes the focus when the address names it. */
const useSectionFocus = (id: string | undefined) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  useLayoutEffect(() => {
    if (id === undefined || hash !== `#${id}` || heading.current === null) return;
    heading.current.focus({ preventScroll: true });
    bringIntoView(heading.current, 'center');
  }, [id, hash, key]);
  return heading;
};

export const FormSection = ({ title, hint, id, isLocked, children }: SectionProps): ReactNode => {
  const titleId = useId();
  const heading = useSectionFocus(id);
  return (
    <section className="form-part" role="group" id={id} aria-labelledby={titleId} inert={isLocked}>
      <div className="section-intro">
        <h2 id={titleId} ref={heading} tabIndex={id === undefined ? undefined : -1}>
          {title}
        </h2>
        {hint !== undefined && <p>{hint}</p>}
      </div>
      <div className="form-grid">{children}</div>
    </section>
  );
};

type PasswordInputsProps = {
  form: AccountFormState;
  mode: 'new' | 'edit';
  isAdmin?: boolean;
  passwordLabel: string;
  passwordQualifier?: string;
};

/** The password of a new account, or a new one of an existing account: its user enters the current one too. */
export const PasswordInputs = (props: PasswordInputsProps): ReactNode => {
  const { form, mode, isAdmin = false, passwordLabel, passwordQualifier } = props;
  const { email, firstName, lastName } = form.values;
  const owner = { email, words: [firstName, lastName] };
  if (mode === 'new') return <NewPassword form={form} label={passwordLabel} owner={owner} />;
  return (
    <>
      <NewPassword
        form={form}
        label={passwordLabel}
        owner={owner}
        qualifier={passwordQualifier ?? accountFormText('optional')}
      />
      {!isAdmin && form.values.password !== '' && (
        <PasswordField
          label={passwordText('currentPassword')}
          autoComplete="current-password"
          {...form.input('currentPassword')}
        />
      )}
    </>
  );
};

const OTHER_NAMES: Partial<Record<OptionListName, OtherNames>> = { countries: COUNTRY_NAMES };

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
          otherNames={field.options && OTHER_NAMES[field.options]}
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
