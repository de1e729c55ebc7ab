import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

type TermProps = { children: string; definition: string };

/** A word whose definition opens on hover, focus and tap, and closes with Escape. */
export const Term = ({ children, definition }: TermProps): ReactNode => {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => setIsOpen(true);
  const close = (): void => setIsOpen(false);
  const handleKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') close();
  };
  return (
    <span className="term" onMouseEnter={open} onMouseLeave={close} onKeyDown={handleKeyDown}>
      <button type="button" aria-describedby={id} onFocus={open} onBlur={close} onClick={open}>
        {children}
      </button>
      <span className="tip" role="tooltip" id={id} hidden={!isOpen}>
        {definition}
      </span>
    </span>
  );
};
