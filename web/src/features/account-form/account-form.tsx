import { PICTURE_TYPES } from '@shortlist/contracts/limits';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { bringIntoView } from '../../lib/form/bring-into-view.ts';
import { useForm, type Rules } from '../../lib/form/use-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PictureDrop } from '../../ui/picture-drop.tsx';
import {
  NameFields,
  OrganizationFields,
  PasswordFields,
  PlaceFields,
  RoleTypeField,
  type AccountFormState,
} from './account-fields.tsx';
import type { AccountValues } from './account-values.ts';
import { repeatRule } from './repeat-rule.ts';
import { useEmailCheck } from './use-email-check.ts';
import { atForm, usePicture, useRefusals } from './use-refusals.ts';

const loadNewRules = async (): Promise<Rules<AccountValues>> =>
  (await import('./account-rules.ts')).newAccountRules;
const loadEditRules = async (): Promise<Rules<AccountValues>> =>
  (await import('./account-rules.ts')).editedAccountRules;

export type AccountFormProps = {
  mode: 'new' | 'edit';
  /** An admin's form also asks for the role type. */
  isAdmin?: boolean;
  initial: AccountValues;
  picture: string | null;
  submitLabel: string;
  passwordLabel: string;
  passwordNote?: string;
  emailHelp?: string;
  isBusy: boolean;
  failure: Failure | null;
  onSubmit: (values: AccountValues, file: File | null) => void;
  onChange?: (values: AccountValues) => void;
  end?: ReactNode;
};

type EmailFieldProps = { form: AccountFormState; isFixed: boolean; help: string | undefined };

const EmailField = ({ form, isFixed, help }: EmailFieldProps): ReactNode => {
  const askWhetherTaken = useEmailCheck(form.refuse);
  const { email } = form.values;
  const input = form.input('email');
  if (isFixed)
    return (
      <TextField
        label="Email"
        isWide
        readOnly
        value={email}
        help={help}
        error={form.errorOf('email')}
        name="email"
      />
    );
  const handleBlur = (): void => {
    input.onBlur();
    if (email !== '' && form.invalid['email'] === undefined) void askWhetherTaken(email);
  };
  return (
    <TextField
      label="Email"
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

type EndProps = Pick<AccountFormProps, 'submitLabel' | 'end'> & { isBusy: boolean; failure: Failure | null };

/** The buttons, and over them why the last press of one came to nothing. */
const End = ({ submitLabel, end, isBusy, failure }: EndProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Enter in a field far above submits as well.
    if (failure !== null && place.current !== null) bringIntoView(place.current, 'nearest');
  }, [failure]);
  return (
    <div className="stack" ref={place}>
      {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      <div className="form-end">
        <Button type="submit" look="primary" className="main-action" isBusy={isBusy}>
          {submitLabel}
        </Button>
        {end}
      </div>
    </div>
  );
};

export const AccountForm = (props: AccountFormProps): ReactNode => {
  const { mode, initial, failure, onChange } = props;
  const loadRules = mode === 'new' ? loadNewRules : loadEditRules;
  const form = useForm({ initial, loadRules, bareRules: repeatRule });
  const picture = usePicture(failure);
  useRefusals(form, failure);
  useEffect(() => onChange?.(form.values), [onChange, form.values]);

  return (
    <form
      noValidate
      onFocus={form.warm}
      className="stack stack-l"
      onSubmit={(event) => void form.submit(event, (values) => props.onSubmit(values, picture.file))}
    >
      <PictureDrop
        name={`${form.values.firstName} ${form.values.lastName}`}
        current={props.picture}
        file={picture.file}
        isOptional={mode === 'new'}
        error={picture.error}
        accept={PICTURE_TYPES.join(',')}
        onPick={picture.pick}
      />
      <div className="form-grid">
        {mode === 'edit' && <EmailField form={form} isFixed help={props.emailHelp} />}
        <NameFields form={form} />
        {mode === 'new' && (
          <>
            <EmailField form={form} isFixed={false} help={undefined} />
            <PasswordFields form={form} label={props.passwordLabel} />
          </>
        )}
        <OrganizationFields form={form} />
        <PlaceFields form={form} />
        {mode === 'edit' && (
          <PasswordFields form={form} label={props.passwordLabel} note={props.passwordNote ?? 'optional'} />
        )}
        {props.isAdmin && <RoleTypeField form={form} />}
      </div>
      <End
        submitLabel={props.submitLabel}
        end={props.end}
        isBusy={props.isBusy || form.isSubmitting}
        failure={atForm(failure, form.values)}
      />
    </form>
  );
};
