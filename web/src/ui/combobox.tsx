import ChevronDown from 'lucide-react/icons/chevron-down';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { controlText } from '../messages/shell.ts';
import { choiceFor, type Choices, matchingChoices } from './choices-by-name.ts';
import type { ControlProps } from './field.tsx';
import { ICON } from './inline.tsx';

type ComboboxSettings = Choices & {
  value: string;
  /** Whether values other than the choices are allowed. */
  isFree?: boolean;
  onChange: (value: string) => void;
  onBlur: () => void;
};

const MOVES: Record<string, (active: number, last: number) => number> = {
  ArrowDown: (active, last) => (active >= last ? 0 : active + 1),
  ArrowUp: (active, last) => (active <= 0 ? last : active - 1),
  Home: () => 0,
  End: (_, last) => last,
};

const useScrollIntoView = (list: RefObject<HTMLUListElement | null>, index: number): void => {
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [list, index]);
};

/** Whether the list is open, and the value at its opening, which Escape restores. */
const useOpening = (value: string) => {
  const [before, setBefore] = useState<string | null>(null);
  return {
    isOpen: before !== null,
    before: before ?? value,
    setOpen: (): void => setBefore((previous) => previous ?? value),
    setClosed: (): void => setBefore(null),
  };
};

/** Space that the list keeps to the edge of the window, and to the input. */
const MARGIN = 8;
/** Lower than the styles' limit, the list would show too few choices. */
const ENOUGH = 160;

type ListPlace = { isAbove: boolean; room: number };

/** Where the list has room in the window. Below the input it would lengthen a page that ends there. */
const listPlace = ({ top, bottom }: DOMRect, windowHeight: number): ListPlace => {
  const below = windowHeight - bottom - MARGIN;
  const above = top - MARGIN;
  const isAbove = below < ENOUGH && above > below;
  return { isAbove, room: Math.max(isAbove ? above : below, 0) };
};

/** No choice is reached: Enter and Tab keep the text. */
const NONE = -1;

/**
 * The state of a combobox. `typed` is the text that is no value yet: while the list is open, and after it was left with a text that
 * matches no choice, so that the user sees what it is about.
 */
const useCombobox = (settings: ComboboxSettings, list: RefObject<HTMLUListElement | null>) => {
  const { value, choices, isFree = false, onChange, onBlur } = settings;
  const { isOpen, before, setOpen, setClosed } = useOpening(value);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(NONE);
  const matches = isOpen && typed !== null ? matchingChoices(settings, typed) : [...choices];

  useScrollIntoView(list, isOpen ? active : NONE);

  const close = (): void => {
    setClosed();
    setTyped(null);
  };
  const choose = (choice: string): void => {
    onChange(choice);
    close();
  };
  const open = (): void => {
    if (isOpen) return;
    setOpen();
    setActive(choices.indexOf(value));
  };
  const type = (text: string): void => {
    setTyped(text);
    setOpen();
    // With free values the matches are proposals, of which an arrow key reaches the first.
    setActive(isFree || text === '' ? NONE : 0);
    onChange(isFree ? text : choiceFor(settings, text));
  };
  const accept = (): void => {
    const choice = matches[active];
    if (choice === undefined) leave();
    else choose(choice);
  };
  const leave = (): void => {
    setClosed();
    if (isFree || value !== '') setTyped(null);
  };
  const move = (key: string): void =>
    setActive(MOVES[key]?.(isOpen ? active : choices.indexOf(value), matches.length - 1) ?? NONE);
  /** Handles a key and returns whether it was for the list. */
  const press = (key: string): boolean => {
    const isForList = isOpen || /^Arrow/.test(key);
    if (isForList && key in MOVES) {
      setOpen();
      move(key);
    } else if (isOpen && key === 'Escape') choose(before);
    else if (isOpen) accept();
    return isForList;
  };
  return {
    isOpen,
    text: typed ?? value,
    isUnmatched: isOpen && matches.length === 0,
    matches,
    active,
    choose,
    open,
    type,
    press,
    blur: (): void => {
      leave();
      onBlur();
    },
  };
};

type ComboboxProps = ComboboxSettings & {
  control: ControlProps;
  name: string;
  placeholder?: string | undefined;
};

const KEYS = ['ArrowDown', 'ArrowUp', 'Enter', 'Escape', 'Home', 'End', 'Tab'];

/** Puts the list where the window has room for it. */
const place = (list: HTMLElement, input: HTMLElement): void => {
  const { isAbove, room } = listPlace(input.getBoundingClientRect(), window.innerHeight);
  list.classList.toggle('is-above', isAbove);
  list.style.maxBlockSize = `min(16rem, ${room}px)`;
};

type ListProps = {
  id: string;
  box: ReturnType<typeof useCombobox>;
  value: string;
  list: Ref<HTMLUListElement>;
};

const ChoiceList = ({ id, box, value, list }: ListProps): ReactNode => (
  <ul
    className="combobox-list"
    role="listbox"
    id={id}
    ref={list}
    hidden={!box.isOpen}
    aria-label={controlText('choices')}
  >
    {box.matches.map((choice, index) => (
      <li
        key={choice}
        id={`${id}-${index}`}
        role="option"
        aria-selected={choice === value}
        data-active={index === box.active}
        // The input must keep the focus: its blur would close the list before the click.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => box.choose(choice)}
      >
        {choice}
      </li>
    ))}
    {box.isUnmatched && (
      <li className="is-empty" role="option" aria-selected="false" aria-disabled="true">
        {controlText('noMatch', { text: box.text })}
      </li>
    )}
  </ul>
);

/** A combobox after the ARIA pattern: the focus stays in the input, and the arrow keys move through the list. */
export const Combobox = ({ control, name, placeholder, ...settings }: ComboboxProps): ReactNode => {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const box = useCombobox(settings, list);
  useLayoutEffect(() => {
    if (box.isOpen && list.current !== null && input.current !== null) place(list.current, input.current);
  }, [box.isOpen]);

  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Tab accepts the choice that is reached, and goes on to the next field.
    if (KEYS.includes(event.key) && box.press(event.key) && event.key !== 'Tab') event.preventDefault();
  };

  return (
    <div className="combobox">
      <input
        {...control}
        ref={input}
        className="input"
        name={name}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={box.isOpen}
        aria-controls={listId}
        aria-activedescendant={
          box.isOpen && box.active in box.matches ? `${listId}-${box.active}` : undefined
        }
        placeholder={placeholder}
        value={box.text}
        onChange={(event) => box.type(event.target.value)}
        onClick={box.open}
        onKeyDown={handleKeyDown}
        onBlur={box.blur}
      />
      <ChevronDown className="combobox-mark" {...ICON} />
      <span className="visually-hidden" role="status">
        {box.isUnmatched && controlText('noMatch', { text: box.text })}
      </span>
      <ChoiceList id={listId} box={box} value={settings.value} list={list} />
    </div>
  );
};
