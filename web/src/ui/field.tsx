import CircleAlert from 'lucide-react/icons/circle-alert';
import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';

/** The attributes that connect a control with its label, help and error. */
export type ControlProps = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
};

type FieldProps = {
  label: string;
  qualifier?: string | undefined;
  help?: ReactNode;
  error?: string | undefined;
  isWide?: boolean;
  children: (control: ControlProps) => ReactNode;
};

type HelpOrErrorProps = { id: string; help: ReactNode; error: string | undefined };

/** The help of a field, or its error, which screen readers announce. */
const HelpOrError = ({ id, help, error }: HelpOrErrorProps): ReactNode => {
  if (error)
    return (
      <p className="help is-bad" id={id} role="alert">
        <CircleAlert size={15} aria-hidden="true" />
        {error}
      </p>
    );
  return (
    <div className="help" id={id}>
      {help}
    </div>
  );
};

/** A form control with its label above and its help or error below. */
export const Field = ({ label, qualifier, help, error, isWide = false, children }: FieldProps): ReactNode => {
  const id = useId();
  const isDescribed = Boolean(error) || Boolean(help);
  const control: ControlProps = {
    id,
    'aria-describedby': isDescribed ? `${id}-help` : undefined,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div className={isWide ? 'wide' : undefined}>
      <label className="label" htmlFor={id}>
        {label} {qualifier !== undefined && <i>({qualifier})</i>}
      </label>
      {children(control)}
      {isDescribed && <HelpOrError id={`${id}-help`} help={help} error={error} />}
    </div>
  );
};

type TextFieldProps = Omit<FieldProps, 'children'> &
  InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export const TextField = ({ label, qualifier, help, error, isWide, ...input }: TextFieldProps): ReactNode => (
  <Field label={label} qualifier={qualifier} help={help} error={error} isWide={isWide ?? false}>
    {(control) => <input className="input" {...input} {...control} />}
  </Field>
);
