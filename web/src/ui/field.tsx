import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';

/** What a control needs in order to belong to its label, help and error. */
export type ControlProps = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
};

type FieldProps = {
  label: string;
  note?: string | undefined;
  help?: ReactNode;
  error?: string | undefined;
  isWide?: boolean;
  children: (control: ControlProps) => ReactNode;
};

/** Label above, help or error below. An error takes the place of the help and is read out when it appears. */
export const Field = ({ label, note, help, error, isWide = false, children }: FieldProps): ReactNode => {
  const id = useId();
  const helpId = `${id}-help`;
  const isDescribed = Boolean(error) || Boolean(help);
  return (
    <div className={isWide ? 'field-box wide' : 'field-box'}>
      <label className="label" htmlFor={id}>
        {label} {note !== undefined && <i>{note}</i>}
      </label>
      {children({
        id,
        'aria-describedby': isDescribed ? helpId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <p className={help ? 'help is-bad has-room' : 'help is-bad'} id={helpId} role="alert">
          {error}
        </p>
      ) : (
        isDescribed && (
          <div className="help has-room" id={helpId}>
            {help}
          </div>
        )
      )}
    </div>
  );
};

type TextFieldProps = Omit<FieldProps, 'children'> &
  InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export const TextField = ({ label, note, help, error, isWide, ...input }: TextFieldProps): ReactNode => (
  <Field label={label} note={note} help={help} error={error} isWide={isWide ?? false}>
    {(control) => <input className="input" {...input} {...control} />}
  </Field>
);
