import { PICTURE_TYPES } from '@shortlist/contracts/limits';
import { useEffect, useId, useRef, type PointerEvent, type ReactNode } from 'react';
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
  isBusy: boolean;
  failure: Failure | null;
  onSubmit: (values: AccountValues, file: File | null) => void;
  onChange?: (values: AccountValues) => void;
  end?: ReactNode;
};

type EmailFieldProps = { form: AccountFormState; isFixed: boolean };

const EmailField = ({ form, isFixed }: EmailFieldProps): ReactNode => {
  const askWhetherTaken = useEmailCheck(form.refuse);
  const { email } = form.values;
  const input = form.input('email');
  if (isFixed)
    return (
      <TextField label="Email" isWide readOnly value={email} error={form.errorOf('email')} name="email" />
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

/**
 * The press is the button's to its end: the field that is left for it may say its error now, and so push the button away
 * from under the pointer.
 */
const holdPress = ({ currentTarget: button, pointerId }: PointerEvent<HTMLButtonElement>): void => {
  if ('setPointerCapture' in button) button.setPointerCapture(pointerId);
};

type PartProps = { title: string; words?: string | undefined; children: ReactNode };

/** Fields of one subject, and at their start what it is. */
const Part = ({ title, words, children }: PartProps): ReactNode => {
  const id = useId();
  return (
    <section className="form-part" role="group" aria-labelledby={id}>
      <div className="about">
        <h2 id={id}>{title}</h2>
        {words !== undefined && <p>{words}</p>}
      </div>
      <div className="form-grid">{children}</div>
    </section>
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
    <div className="form-end" ref={place}>
      {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      <Button type="submit" look="primary" isBusy={isBusy} onPointerDown={holdPress}>
        {submitLabel}
      </Button>
      {end}
    </div>
  );
};

type SignInProps = { form: AccountFormState; of: AccountFormProps };

const signInWords = ({ mode, isAdmin }: AccountFormProps): string => {
  if (mode === 'edit') return 'The email cannot be changed here.';
  return isAdmin ? 'They will log in with these.' : 'You will log in with these.';
};

const SignIn = ({ form, of }: SignInProps): ReactNode => {
  const { passwordLabel, passwordNote } = of;
  const isNew = of.mode === 'new';
  return (
    <Part title="Sign-in details" words={signInWords(of)}>
      <EmailField form={form} isFixed={!isNew} />
      {isNew ? (
        <PasswordFields form={form} label={passwordLabel} />
      ) : (
        <PasswordFields form={form} label={passwordLabel} note={passwordNote ?? 'optional'} />
      )}
    </Part>
  );
};

/** What the parts are called by the person, and by an admin who fills them in for somebody. */
const TITLES = {
  own: { person: 'You', work: 'Your work', place: 'Where you are' },
  admin: { person: 'Person', work: 'Work', place: 'Place' },
} as const;

export const AccountForm = (props: AccountFormProps): ReactNode => {
  const { mode, isAdmin = false, initial, failure, onChange } = props;
  const loadRules = mode === 'new' ? loadNewRules : loadEditRules;
  const form = useForm({ initial, loadRules, bareRules: repeatRule });
  const picture = usePicture(failure);
  const titles = TITLES[isAdmin ? 'admin' : 'own'];
  useRefusals(form, failure);
  useEffect(() => onChange?.(form.values), [onChange, form.values]);

  return (
    <form
      noValidate
      onFocus={form.warm}
      className="form-parts"
      onSubmit={(event) => void form.submit(event, (values) => props.onSubmit(values, picture.file))}
    >
      <SignIn form={form} of={props} />
      <Part title={titles.person}>
        <div className="wide">
          <PictureDrop
            name={`${form.values.firstName} ${form.values.lastName}`}
            current={props.picture}
            file={picture.file}
            refused={picture.refused}
            isOptional={mode === 'new'}
            error={picture.error}
            accept={PICTURE_TYPES.join(',')}
            onPick={picture.pick}
          />
        </div>
        <NameFields form={form} />
      </Part>
      <Part title={titles.work}>
        <OrganizationFields form={form} />
        {isAdmin && <RoleTypeField form={form} />}
      </Part>
      <Part title={titles.place}>
        <PlaceFields form={form} />
      </Part>
      <End
        submitLabel={props.submitLabel}
        end={props.end}
        isBusy={props.isBusy || form.isSubmitting}
        failure={atForm(failure, form.values)}
      />
    </form>
  );
};
