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
};

export const PasswordField = ({ label, note, help, error, ...input }: PasswordFieldProps): ReactNode => {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field label={label} note={note} help={help} error={error}>
      {(control) => (
        <div className="with-button">
          <input className="input" {...input} {...control} type={isShown ? 'text' : 'password'} />
          <IconButton
            isSmall
            label={isShown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
            aria-pressed={isShown}
            icon={isShown ? <EyeOff size={16} /> : <Eye size={16} />}
            onClick={() => setIsShown(!isShown)}
          />
        </div>
      )}
    </Field>
  );
};
