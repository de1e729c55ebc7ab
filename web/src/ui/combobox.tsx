import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { controlText } from '../messages/controls.ts';
import type { ControlProps } from './field.tsx';
import { listPlace, useCombobox, type ComboboxSettings } from './use-combobox.ts';

type ComboboxProps = ComboboxSettings & {
  control: ControlProps;
  name: string;
  placeholder?: string | undefined;
};

const KEYS = ['ArrowDown', 'ArrowUp', 'Enter', 'Escape', 'Home', 'End'];

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

const Choices = ({ id, box, value, list }: ListProps): ReactNode => (
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
    {box.matches.length === 0 && (
      <li className="is-empty" role="option" aria-selected="false" aria-disabled="true">
        {controlText('noMatch')}
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
    if (KEYS.includes(event.key) && box.press(event.key)) event.preventDefault();
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
        aria-activedescendant={box.isOpen && box.matches.length > 0 ? `${listId}-${box.active}` : undefined}
        placeholder={placeholder}
        value={box.text}
        onChange={(event) => box.type(event.target.value)}
        onClick={box.open}
        onKeyDown={handleKeyDown}
        onBlur={box.blur}
      />
      <ChevronDown className="combobox-mark" size={18} strokeWidth={1.75} aria-hidden="true" />
      <Choices id={listId} box={box} value={settings.value} list={list} />
    </div>
  );
};
