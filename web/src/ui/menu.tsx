import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';

type Item = { label: string; icon: ReactNode; onSelect: () => void };
type MenuProps = { label: string; trigger: ReactNode; items: Item[] };

const itemsIn = (anchor: HTMLElement | null): HTMLElement[] => [
  ...(anchor?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];

const moveFocus = (anchor: HTMLElement | null, step: 1 | -1): void => {
  const all = itemsIn(anchor);
  const at = all.findIndex((item) => item === document.activeElement);
  all.at((at + step) % all.length)?.focus();
};

/** Focuses the first item of an open menu, and calls `onOutsidePress` for a press outside. */
const useOpenMenu = (
  isOpen: boolean,
  anchor: RefObject<HTMLElement | null>,
  onOutsidePress: () => void,
): void => {
  useEffect(() => {
    if (isOpen) itemsIn(anchor.current)[0]?.focus();
  }, [isOpen, anchor]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const listener = (event: MouseEvent): void => {
      if (event.target instanceof Node && !anchor.current?.contains(event.target)) onOutsidePress();
    };
    document.addEventListener('mousedown', listener);
    return () => document.removeEventListener('mousedown', listener);
  }, [isOpen, anchor, onOutsidePress]);
};

type ListProps = {
  label: string;
  items: Item[];
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
};

const MenuList = ({ label, items, onKeyDown, onClose }: ListProps): ReactNode => (
  <div className="menu-list" role="menu" aria-label={label} onKeyDown={onKeyDown}>
    {items.map((item) => (
      <button
        key={item.label}
        type="button"
        role="menuitem"
        tabIndex={-1}
        onClick={() => {
          onClose();
          item.onSelect();
        }}
      >
        {item.icon}
        {item.label}
      </button>
    ))}
  </div>
);

/** A button that opens a list of actions. Arrow keys move through it; Escape and a press outside close it. */
export const Menu = ({ label, trigger, items }: MenuProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback((): void => setIsOpen(false), []);
  useOpenMenu(isOpen, anchor, close);

  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') moveFocus(anchor.current, 1);
    if (event.key === 'ArrowUp') moveFocus(anchor.current, -1);
    if (event.key.startsWith('Arrow')) event.preventDefault();
    if (event.key === 'Escape') button.current?.focus();
    if (event.key === 'Escape' || event.key === 'Tab') close();
  };

  return (
    <div className="menu-anchor" ref={anchor}>
      <button
        type="button"
        className="account-menu"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {trigger}
        <span className="visually-hidden">{label}</span>
      </button>
      {isOpen && <MenuList label={label} items={items} onKeyDown={handleKeyDown} onClose={close} />}
    </div>
  );
};
