import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

type MenuProps = {
  label: string;
  trigger: ReactNode;
  items: { label: string; icon: ReactNode; onSelect: () => void }[];
};

/** A button that opens a list of actions: arrows move, Escape and a click outside close. */
export const Menu = ({ label, trigger, items }: MenuProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    anchor.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const listener = (event: MouseEvent): void => {
      if (event.target instanceof Node && !anchor.current?.contains(event.target)) setIsOpen(false);
    };
    document.addEventListener('mousedown', listener);
    return () => document.removeEventListener('mousedown', listener);
  }, [isOpen]);

  const handleKeyDown = (event: KeyboardEvent): void => {
    const all = [...(anchor.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all.at(at - 1)?.focus();
    else if (event.key === 'Escape') {
      setIsOpen(false);
      button.current?.focus();
    } else if (event.key === 'Tab') setIsOpen(false);
    if (event.key.startsWith('Arrow')) event.preventDefault();
  };

  return (
    <div className="menu-anchor" ref={anchor}>
      <button
        type="button"
        className="me"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setIsOpen(!isOpen)}
      >
        {trigger}
      </button>
      {isOpen && (
        <div className="menu-list" role="menu" aria-label={label} onKeyDown={handleKeyDown}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setIsOpen(false);
                item.onSelect();
              }}
            >
              {item.icon}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
