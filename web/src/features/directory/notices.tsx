import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { ListHistory } from '../../lib/state/list-view.ts';
import { directoryText } from '../../messages/directory.ts';
import { Alert } from '../../ui/alert.tsx';

const NOTICES = ['newUserCreated', 'userDeleted', 'userUpdated'] as const;

/** The notices that the URL names, and the problem of the history entry. Dismissing one removes it from there. */
export const Notices = (): ReactNode => {
  const [params, setParams] = useSearchParams();
  const { problem, ...history } = (useLocation().state ?? {}) as ListHistory;
  const dismiss = (name: string): void =>
    setParams(
      (before) => {
        before.delete(name);
        return before;
      },
      { replace: true, state: history },
    );
  return (
    <>
      {problem !== undefined && (
        <Alert tone="warn" onDismiss={() => setParams(params, { replace: true, state: history })}>
          {problem}
        </Alert>
      )}
      {NOTICES.filter((name) => params.has(name)).map((name) => (
        <Alert key={name} tone="good" onDismiss={() => dismiss(name)}>
          {directoryText(name)}
        </Alert>
      ))}
    </>
  );
};
