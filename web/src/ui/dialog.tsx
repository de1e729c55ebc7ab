import { useId, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useFocusTrap } from './use-focus-trap.ts';

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
