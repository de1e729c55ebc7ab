import { useEffect, type RefObject } from 'react';

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), [tabindex="0"]';

const keepInside = (event: KeyboardEvent, box: HTMLElement): void => {
  const all = [...box.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = all[0];
  const last = all.at(-1);
  const isOutside = !box.contains(document.activeElement);
  if (event.shiftKey && (isOutside || document.activeElement === first)) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && (isOutside || document.activeElement === last)) {
    event.preventDefault();
    first?.focus();
  }
};

/**
 * While mounted: focus starts on `[data-autofocus]` or the first control, stays inside, Escape closes, the page behind
 * does not scroll; afterwards focus returns to where it was.
 */
export const useFocusTrap = (box: RefObject<HTMLElement | null>, onClose: () => void): void => {
  useEffect(() => {
    const before = document.activeElement;
    const start = box.current?.querySelector<HTMLElement>('[data-autofocus]');
    (start ?? box.current?.querySelector<HTMLElement>(FOCUSABLE))?.focus();
    document.body.style.overflow = 'hidden';
    return () => {
      document.body.style.overflow = '';
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [box]);

  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
      if (event.key === 'Tab' && box.current !== null) keepInside(event, box.current);
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [box, onClose]);
};
