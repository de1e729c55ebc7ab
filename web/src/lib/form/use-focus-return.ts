import { useLayoutEffect, useRef } from 'react';

/** Gives the focus back to the field that had it when its form was locked, unless something else has taken it since. */
export const useFocusReturn = (isLocked: boolean): void => {
  const field = useRef<HTMLElement | null>(null);
  // Before the browser takes the focus from what is inert, which it does as it paints.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (isLocked) field.current = activeElement instanceof HTMLElement ? activeElement : null;
    else if (activeElement === body) field.current?.focus({ preventScroll: true });
  }, [isLocked]);
};
