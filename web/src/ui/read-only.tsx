import { createContext, type ReactNode, use } from 'react';
import { Alert } from './alert.tsx';

/** Why nothing can be changed in this part of a page; null where it can. */
export const ReadOnly = createContext<string | null>(null);

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
