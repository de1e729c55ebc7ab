import { useLayoutEffect } from 'react';

/**
 * Sets an attribute of the document's root while `isSet`, for the styles of what scrolls. With `:has()` on the root instead, the browser
 * computes the styles of the whole page again with each element that is added to it.
 */
export const useRootAttribute = (name: `data-${string}`, isSet: boolean): void => {
  useLayoutEffect(() => {
    const { documentElement: root } = document;
    root.toggleAttribute(name, isSet);
    return () => root.removeAttribute(name);
  }, [name, isSet]);
};
