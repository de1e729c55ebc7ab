import type { ReactNode } from 'react';
import { shellText } from '../messages/shell.ts';
import { ErrorState } from '../ui/states.tsx';

export const Crashed = (): ReactNode => (
  <div className="main">
    <main className="page">
      <ErrorState
        title={shellText('crashedTitle')}
        message={shellText('crashedText')}
        onRetry={() => window.location.reload()}
      />
    </main>
  </div>
);
