import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Field } from './field.tsx';

type PasswordFieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string;
  note?: string | undefined;
  help?: ReactNode;
  error?: string | undefined;
  /** Stands right under the field, before its help. */
  under?: ReactNode;
};

export const PasswordField = ({
  label,
  note,
  help,
  error,
  under,
  ...input
}: PasswordFieldProps): ReactNode => {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field label={label} note={note} help={help} error={error}>
      {(control) => (
        <>
          <div className="with-button">
            <input className="input" {...input} {...control} type={isShown ? 'text' : 'password'} />
            <IconButton
              isSmall
              label={isShown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
              aria-pressed={isShown}
              icon={isShown ? <EyeOff size={18} strokeWidth={1.75} /> : <Eye size={18} strokeWidth={1.75} />}
              onClick={() => setIsShown(!isShown)}
            />
          </div>
          {under}
        </>
      )}
    </Field>
  );
};
