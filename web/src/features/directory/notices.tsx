import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Alert } from '../../ui/alert.tsx';

const NOTICES = [
  ['newUserCreated', 'New User Is Created Successfully!'],
  ['userDeleted', 'That User Has Been Removed From The List.'],
  ['userUpdated', 'The user is updated.'],
] as const;

/** The notices that the URL names. Dismissing one removes it from the URL. */
export const Notices = (): ReactNode => {
  const [params, setParams] = useSearchParams();
  const dismiss = (name: string): void =>
    setParams(
      (before) => {
        before.delete(name);
        return before;
      },
      { replace: true },
    );
  return NOTICES.filter(([name]) => params.has(name)).map(([name, text]) => (
    <Alert key={name} tone="good" onDismiss={() => dismiss(name)}>
      {text}
    </Alert>
  ));
};
