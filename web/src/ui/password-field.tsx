import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { controlText } from '../messages/controls.ts';
import { IconButton } from './button.tsx';
import { Field } from './field.tsx';

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
          <div className="with-button">
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
