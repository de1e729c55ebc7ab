import { type ReactNode, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { Failure } from '../lib/api/api-error.ts';
import { controlText } from '../messages/shell.ts';
import { FailureAlert } from './alert.tsx';
import { Button } from './button.tsx';
import { useFocusTrap } from './focus-trap.ts';

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
