import type { FieldMessages } from '@shortlist/contracts/errors';
import { PICTURE_TYPES } from '@shortlist/contracts/limits';
import { useEffect, useState, type ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
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
import { pictureProblem } from './picture-rules.ts';
import { useEmailCheck } from './use-email-check.ts';

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

const inFormNames = ({ country, ...rest }: FieldMessages): FieldMessages =>
  country === undefined ? rest : { ...rest, selectCountry: country };

const PICTURE_CODES = ['profile.picture_type', 'profile.picture_size'];

/** The server's refusals at the fields they belong to. */
const fieldsOf = ({ code, fields, message }: Failure): FieldMessages =>
  code === 'identity.email_taken' ? { email: message } : inFormNames(fields);

const usePicture = (failure: Failure | null) => {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [seen, setSeen] = useState<Failure | null>(null);
  const fromServer =
    failure !== null && failure !== seen && PICTURE_CODES.includes(failure.code) ? failure.message : null;
  const pick = (picked: File | null): void => {
    const found = picked === null ? null : pictureProblem(picked);
    setSeen(failure);
    setProblem(found);
    if (found === null) setFile(picked);
  };
  return { file, error: problem ?? fromServer ?? undefined, pick };
};

type EmailFieldProps = { form: AccountFormState; isFixed: boolean; help: string | undefined };

const EmailField = ({ form, isFixed, help }: EmailFieldProps): ReactNode => {
  const askWhetherTaken = useEmailCheck(form.refuse);
  const { email } = form.values;
  const input = form.input('email');
  if (isFixed) return <TextField label="Email" isWide readOnly value={email} help={help} name="email" />;
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

/** What the server said of single fields is shown at them. */
const useRefusals = ({ refuse }: AccountFormState, failure: Failure | null): void =>
  useEffect(() => {
    if (failure !== null) refuse(fieldsOf(failure));
  }, [failure, refuse]);

export const AccountForm = (props: AccountFormProps): ReactNode => {
  const { mode, initial, failure, onChange } = props;
  const form = useForm({ initial, loadRules: mode === 'new' ? loadNewRules : loadEditRules });
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
      {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
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
        {props.isAdmin && <RoleTypeField form={form} />}
        {mode === 'edit' && (
          <PasswordFields form={form} label={props.passwordLabel} note={props.passwordNote ?? 'optional'} />
        )}
      </div>
      <div className="form-end">
        <Button type="submit" look="primary" className="main-action" isBusy={props.isBusy}>
          {props.submitLabel}
        </Button>
        {props.end}
      </div>
    </form>
  );
};
