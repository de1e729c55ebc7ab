import { lazy, type ComponentType, type ReactNode } from 'react';
import { ErrorState } from '../ui/states.tsx';

const Unloadable = (): ReactNode => (
  <ErrorState
    title="This page could not be loaded"
    message="The connection was lost, or a newer version of the product is out. Nothing you saved is lost."
    onRetry={() => window.location.reload()}
  />
);

/** A page fetched when it is first shown. A fetch that fails says so in words and offers to load again. */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(() => load().catch((): { default: ComponentType } => ({ default: Unloadable })));
