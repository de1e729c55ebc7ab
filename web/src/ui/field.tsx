import CircleAlert from 'lucide-react/icons/circle-alert';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  use,
  useId,
  useState,
} from 'react';
import { controlText } from '../messages/shell.ts';
import { Alert } from './alert.tsx';
import { IconButton, ReadOnly } from './button.tsx';

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
    <div className={isWide ? 'field form-grid-wide' : 'field'}>
      <label className="label" htmlFor={id}>
        {label} {qualifier !== undefined && <i>({qualifier})</i>}
      </label>
      <div>
        {children(control)}
        {isDescribed && <HelpOrError id={`${id}-help`} help={help} error={error} />}
      </div>
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

type TextAreaFieldProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
};

export const TextAreaField = ({ label, help, error, ...area }: TextAreaFieldProps): ReactNode => (
  <Field label={label} help={help} error={error}>
    {(control) => <textarea className="input is-tall" {...area} {...control} />}
  </Field>
);

type SelectFieldProps = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
};

export const SelectField = ({ label, help, error, children, ...select }: SelectFieldProps): ReactNode => (
  <Field label={label} help={help} error={error}>
    {(control) => (
      <div className="select">
        <select {...select} {...control}>
          {children}
        </select>
      </div>
    )}
  </Field>
);

type PasswordFieldProps = InputHTMLAttributes<HTMLInputElement> & {
  ref?: Ref<HTMLInputElement>;
  label: string;
  qualifier?: string | undefined;
  help?: ReactNode;
  error?: string | undefined;
  /** Content between the input and its help. */
  below?: ReactNode;
};

export const PasswordField = ({
  label,
  qualifier,
  help,
  error,
  below,
  ...input
}: PasswordFieldProps): ReactNode => {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <Field label={label} qualifier={qualifier} help={help} error={error}>
      {(control) => (
        <>
          <div className="input-with-button">
            <input className="input" {...input} {...control} type={isVisible ? 'text' : 'password'} />
            <IconButton
              isSmall
              label={controlText(isVisible ? 'hide' : 'show', { field: label.toLowerCase() })}
              aria-pressed={isVisible}
              icon={
                isVisible ? <EyeOff size={18} strokeWidth={1.75} /> : <Eye size={18} strokeWidth={1.75} />
              }
              onClick={() => setIsVisible(!isVisible)}
            />
          </div>
          {below}
        </>
      )}
    </Field>
  );
};

/** The fields of a form; where nothing can be changed they are disabled, and the reason is above them. */
export const FormFields = ({ children }: { children: ReactNode }): ReactNode => {
  const reason = use(ReadOnly);
  if (reason === null) return children;
  return (
    <fieldset className="form-fields" disabled>
      <Alert tone="warn">{reason}</Alert>
      {children}
    </fieldset>
  );
};
