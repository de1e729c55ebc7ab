import type { ReactNode, SelectHTMLAttributes } from 'react';
import { Field } from './field.tsx';

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
