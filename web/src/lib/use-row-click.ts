import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';

/** The handler of a row that opens a page on a click beside its links, buttons and fields. For the keyboard, the link in the row does the same. */
export const useRowClick = (to: string): ((event: MouseEvent) => void) => {
  const navigate = useNavigate();
  return ({ target }) => {
    const isControl = target instanceof Element && target.closest('a, button, label') !== null;
    if (!isControl) void navigate(to);
  };
};
