import { useEffect } from 'react';

/** From here on the sidebar stands beside the page. Source: spec.md §2. */
const WIDE = '(min-width: 1025px)';

/** Closes what only a narrow window needs, once the window is wide. */
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
