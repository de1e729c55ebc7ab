import { type ReactNode, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useFocusTrap } from './focus-trap.ts';

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
