import { readableEmail } from '@shortlist/contracts/unicode';
import { PICTURE_TYPES } from '@shortlist/contracts/limits';
import { fullName } from '@shortlist/contracts/messages';
import { COUNTRY_NAMES, OPTION_LISTS, type OptionListName } from '@shortlist/contracts/option-lists';
import type { ProfileField } from '@shortlist/contracts/profile-fields';
import {
  type FormEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { useLocation } from 'react-router-dom';
import type { Failure } from '../../lib/api/api-error.ts';
import { bringIntoView, type Rules, useFocusReturn, useForm } from '../../lib/form/use-form.ts';
import { accountFormText } from '../../messages/account-form.ts';
import { passwordText } from '../../messages/password.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { OtherNames } from '../../ui/choices-by-name.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Field, FormFields, PasswordField, SelectField, TextField } from '../../ui/field.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { PictureDrop } from '../../ui/picture-drop.tsx';
import { Bar } from '../../ui/states.tsx';
import {
  type AccountFormState,
  type AccountValues,
  inputNameOf,
  PICTURE_LIMITS,
  type PictureChoice,
  profileFields,
  repeatRule,
} from './account-values.ts';
import { formFailure, useEmailCheck, usePicture, useServerErrors } from './server-errors.ts';

// The rules bring Joi along: they are loaded when the form is first focused.
const loadNewRules = async (): Promise<Rules<AccountValues>> =>
  (await import('./account-rules.ts')).newAccountRules;
const loadOwnRules = async (): Promise<Rules<AccountValues>> =>
  (await import('./account-rules.ts')).ownAccountRules;
const loadEditRules = async (): Promise<Rules<AccountValues>> =>
  (await import('./account-rules.ts')).editedAccountRules;

const rulesOf = (mode: 'new' | 'edit', isAdmin: boolean) => {
  if (mode === 'new') return loadNewRules;
  return isAdmin ? loadEditRules : loadOwnRules;
};

type AccountFormProps = {
  mode: 'new' | 'edit';
  /** An admin's form also has the fields that only admins set. */
  isAdmin?: boolean;
  initial: AccountValues;
  /** Values that replace the input: those of an edit that was merged with another one. */
  merged?: AccountValues | null;
  picture: string | null;
  submitLabel: string;
  busyLabel: string;
  passwordLabel: string;
  passwordQualifier?: string | undefined;
  isBusy: boolean;
  /** Whether the fields take no input, as they do while busy: while a choice about the submitted values is open. */
  isLocked?: boolean;
  failure: Failure | null;
  onSubmit: (values: AccountValues, file: PictureChoice) => void;
  onChange?: (values: AccountValues) => void;
  actions?: ReactNode;
  /** What the user agrees to; the form is submitted once `check` returns true. */
  consent?: { field: ReactNode; check: () => boolean };
};

/** An admin's form disables the email. The profile keeps it readable for password managers, which store it with a new password. */
type EmailLock = 'disabled' | 'readOnly' | null;
type EmailFieldProps = { form: AccountFormState; lock: EmailLock };

const EmailField = ({ form, lock }: EmailFieldProps): ReactNode => {
  const checkAvailability = useEmailCheck(form.setServerErrors);
  const { email } = form.values;
  const input = form.input('email');
  if (lock !== null)
    return (
      <TextField
        label={accountFormText('email')}
        isWide
        disabled={lock === 'disabled'}
        readOnly
        value={readableEmail(email)}
        error={form.errorOf('email')}
        name="email"
      />
    );
  const handleBlur = (): void => {
    input.onBlur();
    if (email !== '' && form.invalid['email'] === undefined) void checkAvailability(email);
  };
  return (
    <TextField
      label={accountFormText('email')}
      isWide
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...input}
      onBlur={handleBlur}
    />
  );
};

/**
 * Keeps the press on the button until the pointer is released: the field that loses the focus may show its error and
 * move the button from under the pointer.
 */
const capturePointer = ({ currentTarget: button, pointerId }: PointerEvent<HTMLButtonElement>): void => {
  if ('setPointerCapture' in button) button.setPointerCapture(pointerId);
};

type ActionsProps = Pick<AccountFormProps, 'submitLabel' | 'busyLabel' | 'actions'> & {
  isBusy: boolean;
  failure: Failure | null;
};

/** The form's buttons, with the failure of the last submit above them. */
const FormActions = ({ submitLabel, busyLabel, actions, isBusy, failure }: ActionsProps): ReactNode => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Enter submits from a field that may be far above the message.
    if (failure !== null && container.current !== null) bringIntoView(container.current, 'nearest');
  }, [failure]);
  return (
    <div className="form-end" ref={container}>
      {failure !== null && <FailureAlert failure={failure} />}
      <Button
        type="submit"
        variant="primary"
        isBusy={isBusy}
        busyLabel={busyLabel}
        onPointerDown={capturePointer}
      >
        {submitLabel}
      </Button>
      {actions}
    </div>
  );
};

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

const FormSection = ({ title, hint, id, isLocked, children }: SectionProps): ReactNode => {
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

type SignInSectionProps = Pick<AccountFormProps, 'mode' | 'passwordLabel' | 'passwordQualifier'> & {
  form: AccountFormState;
  isAdmin: boolean;
  isLocked: boolean;
};

/** The email, and the password of a new account or a new one of an existing account: its user enters the current one too. */
const SignInSection = ({
  form,
  mode,
  isAdmin,
  isLocked,
  passwordLabel,
  passwordQualifier = accountFormText('optional'),
}: SignInSectionProps): ReactNode => {
  const { email, firstName, lastName, password } = form.values;
  const isNew = mode === 'new';
  const hint = isAdmin ? 'userLogsInWithThese' : 'loginWithThese';
  const lock = isAdmin ? 'disabled' : 'readOnly';
  return (
    <FormSection
      title={accountFormText('signInDetails')}
      id="password"
      hint={accountFormText(isNew ? hint : 'emailFixed')}
      isLocked={isLocked}
    >
      <EmailField form={form} lock={isNew ? null : lock} />
      <NewPassword
        form={form}
        label={passwordLabel}
        owner={{ email, words: [firstName, lastName] }}
        qualifier={isNew ? undefined : passwordQualifier}
      />
      {!isNew && !isAdmin && password !== '' && (
        <PasswordField
          label={passwordText('currentPassword')}
          autoComplete="current-password"
          {...form.input('currentPassword')}
        />
      )}
    </FormSection>
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
const ProfileInputs = ({ form, group, isAdmin }: ProfileInputsProps): ReactNode =>
  profileFields(isAdmin)
    .filter((field) => field.group === group)
    .map((field) => {
      const Input = INPUTS[field.control];
      return <Input key={field.name} form={form} field={field} />;
    });

const useMergedValues = ({ set }: AccountFormState, merged: AccountValues | null): void => {
  const applied = useRef<AccountValues | null>(null);
  useLayoutEffect(() => {
    // Effects also run when a hidden form is shown again, with what has been typed since.
    if (merged === applied.current) return;
    applied.current = merged;
    for (const [name, value] of Object.entries(merged ?? {})) set(name, value);
  }, [set, merged]);
};

const TITLES = {
  user: { person: 'you', work: 'yourWork', location: 'yourLocation' },
  admin: { person: 'person', work: 'work', location: 'location' },
} as const;

export const AccountForm = (props: AccountFormProps): ReactNode => {
  const { mode, isAdmin = false, initial, failure, onChange } = props;
  // What is typed during a save would be lost, since the form closes after it.
  const isLocked = props.isBusy || props.isLocked === true;
  useFocusReturn(isLocked);
  const form = useForm({ initial, loadRules: rulesOf(mode, isAdmin), fallbackRules: repeatRule });
  const picture = usePicture(failure);
  const titles = TITLES[isAdmin ? 'admin' : 'user'];
  useServerErrors(form, failure);
  useMergedValues(form, props.merged ?? null);
  useEffect(() => onChange?.(form.values), [onChange, form.values]);
  const handleSubmit = (event: FormEvent<HTMLFormElement>): void => {
    const isAgreed = props.consent?.check() ?? true;
    void form.submit(event, (values) => isAgreed && props.onSubmit(values, picture.choice));
  };

  return (
    <form noValidate onFocus={form.preloadRules} className="form-parts" onSubmit={handleSubmit}>
      <FormFields>
        <SignInSection
          form={form}
          mode={mode}
          isAdmin={isAdmin}
          isLocked={isLocked}
          passwordLabel={props.passwordLabel}
          passwordQualifier={props.passwordQualifier}
        />
        <FormSection title={accountFormText(titles.person)} isLocked={isLocked}>
          <div className="form-grid-wide">
            <PictureDrop
              name={fullName(form.values)}
              current={props.picture}
              file={picture.file}
              isRemoved={picture.choice === 'removed'}
              rejected={picture.rejected}
              isOptional={mode === 'new'}
              error={picture.error}
              accept={PICTURE_TYPES.join(',')}
              limits={PICTURE_LIMITS}
              onPick={picture.pick}
              onRemove={picture.remove}
            />
          </div>
          <ProfileInputs form={form} group="person" isAdmin={isAdmin} />
        </FormSection>
        <FormSection title={accountFormText(titles.work)} isLocked={isLocked}>
          <ProfileInputs form={form} group="work" isAdmin={isAdmin} />
        </FormSection>
        <FormSection title={accountFormText(titles.location)} isLocked={isLocked}>
          <ProfileInputs form={form} group="location" isAdmin={isAdmin} />
        </FormSection>
        {props.consent?.field}
        <FormActions
          submitLabel={props.submitLabel}
          busyLabel={props.busyLabel}
          actions={props.actions}
          isBusy={props.isBusy || form.isSubmitting}
          failure={formFailure(failure, form.values)}
        />
      </FormFields>
    </form>
  );
};

const countIn = (group: string): number =>
  profileFields(false).filter((field) => field.group === group).length;

/** The fields of each section: sign-in details, person with the picture, work, location. */
const SECTIONS = [
  { fields: 3, hasWideField: true },
  { fields: countIn('person') + 1, hasWideField: true },
  { fields: countIn('work'), hasWideField: false },
  { fields: countIn('location'), hasWideField: false },
] as const;

/** Stands in for the form while the user is being loaded. */
export const AccountFormSkeleton = (): ReactNode => (
  <div className="form-parts">
    {SECTIONS.map(({ fields, hasWideField }, section) => (
      <div className="form-part" key={section}>
        <Bar width="7rem" />
        <div className="form-grid">
          {Array.from({ length: fields }, (_, field) => (
            <div key={field} className={hasWideField && field === 0 ? 'form-grid-wide' : undefined}>
              <Bar width="5rem" height="1.3125rem" />
              <Bar height="2.75rem" />
            </div>
          ))}
        </div>
      </div>
    ))}
  </div>
);
