import { useEffect } from 'react';

/** The width from which the sidebar is beside the page. Source: docs/product.md. */
const WIDE = '(min-width: 1025px)';

/** Closes the drawer when the window becomes wide enough for the sidebar. */
export const useWhenWide = (isOpen: boolean, close: () => void): void => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const query = window.matchMedia(WIDE);
    const listener = (): void => {
      if (query.matches) close();
    };
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  }, [isOpen, close]);
};
