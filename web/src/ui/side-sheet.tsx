import { useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useFocusTrap } from './use-focus-trap.ts';

type SideSheetProps = {
  label: string;
  kind: 'settings' | 'drawer';
  onClose: () => void;
  children: ReactNode;
};

/** Something that slides over the page from one of its sides: 'off' from the end, 'drawer' from the start. */
export const SideSheet = ({ label, kind, onClose, children }: SideSheetProps): ReactNode => {
  const box = useRef<HTMLDivElement>(null);
  useFocusTrap(box, onClose);
  return createPortal(
    // What the settings change is seen behind them, so they have no veil.
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
