import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';

/** The handler of a row that opens a page on a click beside its links and buttons. For the keyboard, the link in the row does the same. */
export const useRowClick = (to: string): ((event: MouseEvent) => void) => {
  const navigate = useNavigate();
  return ({ target }) => {
    const isControl = target instanceof Element && target.closest('a, button') !== null;
    if (!isControl) void navigate(to);
  };
};
