import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { Failure } from '../lib/api/api-error.ts';
import { controlText } from '../messages/shell.ts';
import { FailureAlert } from './alert.tsx';
import { Button } from './button.tsx';
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
const useFocusTrap = (box: RefObject<HTMLElement | null>, onClose: () => void): void => {
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

type DialogProps = {
  title: string;
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
  end: ReactNode;
};

/** A modal dialog. The safe choice among its buttons has `data-autofocus`. */
export const Dialog = ({ title, isWide = false, onClose, children, end }: DialogProps): ReactNode => {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useFocusTrap(box, onClose);
  return createPortal(
    <div
      className="backdrop is-centred"
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div
        className={isWide ? 'dialog is-wide' : 'dialog'}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        ref={box}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <div className="dialog-end">{end}</div>
      </div>
    </div>,
    document.body,
  );
};

type ConfirmDialogProps = {
  title: string;
  cancelLabel?: string;
  confirmLabel: string;
  isBad?: boolean;
  command: { isBusy: boolean; failure: Failure | null; run: () => Promise<void> };
  /** A field among the children shows the failure. */
  isFailureAtField?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Asks before a change, and shows why it has failed. A field with `data-autofocus` has the focus. */
export const ConfirmDialog = (props: ConfirmDialogProps): ReactNode => {
  const { title, cancelLabel = controlText('cancel'), confirmLabel, isBad = false } = props;
  const { isBusy, failure, run } = props.command;
  return (
    <Dialog
      title={title}
      onClose={props.onClose}
      end={
        <>
          <Button data-autofocus onClick={props.onClose}>
            {cancelLabel}
          </Button>
          <Button variant={isBad ? 'bad' : 'primary'} isBusy={isBusy} onClick={() => void run()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="stack">
        {props.children}
        {failure !== null && !props.isFailureAtField && <FailureAlert failure={failure} />}
      </div>
    </Dialog>
  );
};

type SideSheetProps = {
  label: string;
  kind: 'settings' | 'drawer';
  onClose: () => void;
  children: ReactNode;
};

/** A modal sheet at the side of the page: the settings at its end, the drawer at its start. */
export const SideSheet = ({ label, kind, onClose, children }: SideSheetProps): ReactNode => {
  const box = useRef<HTMLDivElement>(null);
  useFocusTrap(box, onClose);
  return createPortal(
    // The settings have a transparent backdrop, because their effect is visible behind it.
    <div
      className={kind === 'settings' ? 'backdrop is-clear' : 'backdrop'}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div
        className={kind === 'settings' ? 'settings-sheet' : 'drawer'}
        role="dialog"
        aria-modal="true"
        aria-label={label}
        ref={box}
      >
        {children}
      </div>
    </div>,
    document.body,
  );
};
