import type { ReactNode } from 'react';
import { ErrorState } from '../ui/states.tsx';

export const Crashed = (): ReactNode => (
  <div className="main">
    <main className="page">
      <ErrorState
        title="Something went wrong on this page"
        message="What you saved is safe. Load the page again to go on."
        onRetry={() => window.location.reload()}
      />
    </main>
  </div>
);
