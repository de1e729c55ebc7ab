import { readableEmail } from '@shortlist/contracts/domains';
import { PICTURE_TYPES } from '@shortlist/contracts/limits';
import { fullName } from '@shortlist/contracts/messages';
import { type FormEvent, type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { bringIntoView, type Rules, useFocusReturn, useForm } from '../../lib/form/use-form.ts';
import { accountFormText } from '../../messages/account-form.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { FormFields, TextField } from '../../ui/field.tsx';
import { PictureDrop } from '../../ui/picture-drop.tsx';
import { Bar } from '../../ui/states.tsx';
import {
  type AccountFormState,
  type AccountValues,
  PICTURE_LIMITS,
  type PictureChoice,
  profileFields,
  repeatRule,
} from './account-values.ts';
import { FormSection, PasswordInputs, ProfileInputs } from './inputs.tsx';
import { formFailure, useEmailCheck, usePicture, useServerErrors } from './server-errors.ts';

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
  passwordQualifier?: string;
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

type SignInSectionProps = { form: AccountFormState; formProps: AccountFormProps; isLocked: boolean };

const signInHint = ({ mode, isAdmin }: AccountFormProps): string => {
  if (mode === 'edit') return accountFormText('emailFixed');
  return accountFormText(isAdmin ? 'userLogsInWithThese' : 'loginWithThese');
};

/** Whether the fields are locked: what is typed during a save would be lost, since the form closes after it. */
const useLock = ({ isBusy, isLocked = false }: AccountFormProps): boolean => {
  useFocusReturn(isBusy || isLocked);
  return isBusy || isLocked;
};

const SignInSection = ({ form, formProps, isLocked }: SignInSectionProps): ReactNode => {
  const { mode, isAdmin = false } = formProps;
  const lock = isAdmin ? 'disabled' : 'readOnly';
  return (
    <FormSection
      title={accountFormText('signInDetails')}
      id="password"
      hint={signInHint(formProps)}
      isLocked={isLocked}
    >
      <EmailField form={form} lock={mode === 'new' ? null : lock} />
      <PasswordInputs form={form} {...formProps} />
    </FormSection>
  );
};

const useMergedValues = ({ set }: AccountFormState, merged: AccountValues | null): void =>
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries(merged ?? {})) set(name, value);
  }, [set, merged]);

const TITLES = {
  user: { person: 'you', work: 'yourWork', location: 'yourLocation' },
  admin: { person: 'person', work: 'work', location: 'location' },
} as const;

export const AccountForm = (props: AccountFormProps): ReactNode => {
  const { mode, isAdmin = false, initial, failure, onChange } = props;
  const isLocked = useLock(props);
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
        <SignInSection form={form} formProps={props} isLocked={isLocked} />
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
