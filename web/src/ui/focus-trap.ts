import { type RefObject, useLayoutEffect } from 'react';
import { focusHeading } from './page-header.tsx';

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), [tabindex="0"]';

/** Moves the focus from the last control to the first and vice versa, and into the box from outside. */
const wrapFocus = (event: KeyboardEvent, box: HTMLElement): void => {
  const all = [...box.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const opposite = event.shiftKey ? all.at(-1) : all[0];
  const active = document.activeElement;
  if (active !== edge && box.contains(active)) return;
  event.preventDefault();
  opposite?.focus();
};

/** The page scrolls in <html>: were <body> to scroll instead, the sidebar would not stay. A bar that takes room leaves its room. */
const setPageScrolls = (isScrolling: boolean): void => {
  const { style, clientWidth } = document.documentElement;
  if (isScrolling) style.scrollbarGutter = '';
  else if (window.innerWidth > clientWidth) style.scrollbarGutter = 'stable';
  style.overflow = isScrolling ? '' : 'hidden';
};

/** The open boxes, the topmost last: only that one reacts to keys. */
const openBoxes: RefObject<HTMLElement | null>[] = [];

/**
 * Keeps the focus in the box while it is mounted, starting with `[data-autofocus]` or the first control. Escape calls `onClose`
 * and the page behind does not scroll. Unmounting restores the previous focus, or focuses the page's heading if what had it is gone.
 */
export const useFocusTrap = (box: RefObject<HTMLElement | null>, onClose: () => void): void => {
  useLayoutEffect(() => {
    const previousFocus = document.activeElement;
    const start = box.current?.querySelector<HTMLElement>('[data-autofocus]');
    // A box that is higher than the window opens at its beginning, also where the focus starts at its end.
    (start ?? box.current?.querySelector<HTMLElement>(FOCUSABLE))?.focus({ preventScroll: true });
    setPageScrolls(false);
    openBoxes.push(box);
    return () => {
      openBoxes.splice(openBoxes.indexOf(box), 1);
      if (openBoxes.length === 0) setPageScrolls(true);
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
      else focusHeading();
    };
  }, [box]);

  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (openBoxes.at(-1) !== box) return;
      if (event.key === 'Escape') onClose();
      if (event.key === 'Tab' && box.current !== null) wrapFocus(event, box.current);
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [box, onClose]);
};
