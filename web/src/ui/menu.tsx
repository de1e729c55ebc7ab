import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { Link } from 'react-router-dom';

/** An item is a link or an action. */
type Item = { label: string; icon: ReactNode } & ({ to: string } | { onSelect: () => void });
/** `head`: what the trigger shows on a wide page, above the items on a narrow one. */
type MenuProps = { label: string; trigger: ReactNode; head?: ReactNode; items: Item[] };

const itemsIn = (anchor: HTMLElement | null): HTMLElement[] => [
  ...(anchor?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];

/** The keys that move the focus, and the item that they move it to. */
const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** Moves the focus among the items, and returns whether the key was for them. */
const moveFocus = (anchor: HTMLElement | null, key: string): boolean => {
  const all = itemsIn(anchor);
  const at = all.findIndex((item) => item === document.activeElement);
  const target = MOVES[key]?.(at, all.length - 1);
  if (target !== undefined) all[target]?.focus();
  return target !== undefined;
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
  head: ReactNode;
  items: Item[];
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
};

type MenuItemProps = { item: Item; onClose: () => void };

const MenuItem = ({ item, onClose }: MenuItemProps): ReactNode => {
  const content = (
    <>
      {item.icon}
      {item.label}
    </>
  );
  if ('to' in item)
    return (
      <Link role="menuitem" tabIndex={-1} to={item.to} onClick={onClose}>
        {content}
      </Link>
    );
  const handleClick = (): void => {
    onClose();
    item.onSelect();
  };
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={handleClick}>
      {content}
    </button>
  );
};

const MenuList = ({ label, head, items, onKeyDown, onClose }: ListProps): ReactNode => (
  <div className="menu-list">
    {head !== undefined && (
      // The name of the button says it to screen readers.
      <div className="menu-head" aria-hidden="true">
        {head}
      </div>
    )}
    <div role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <MenuItem key={item.label} item={item} onClose={onClose} />
      ))}
    </div>
  </div>
);

/** A button that opens a list of links and actions. Arrow keys move through it; Escape and a press outside close it. */
export const Menu = ({ label, trigger, head, items }: MenuProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback((): void => setIsOpen(false), []);
  useOpenMenu(isOpen, anchor, close);

  const closeToButton = (): void => {
    button.current?.focus();
    close();
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (moveFocus(anchor.current, event.key)) event.preventDefault();
    if (event.key === 'Escape') closeToButton();
    if (event.key === 'Tab') close();
  };
  const handleButtonKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    setIsOpen(true);
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
        onKeyDown={handleButtonKeyDown}
      >
        {trigger}
        <span className="visually-hidden">{label}</span>
      </button>
      {isOpen && (
        <MenuList label={label} head={head} items={items} onKeyDown={handleKeyDown} onClose={closeToButton} />
      )}
    </div>
  );
};
