import { useEffect, useState, type RefObject } from 'react';
import type { ComboboxProps } from './combobox.tsx';

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Choices that begin with the text come first, then those that contain it. */
const matching = (choices: readonly string[], text: string): string[] => {
  const sought = plain(text);
  const starts = choices.filter((choice) => plain(choice).startsWith(sought));
  const contains = choices.filter(
    (choice) => !plain(choice).startsWith(sought) && plain(choice).includes(sought),
  );
  return [...starts, ...contains];
};

type Settings = Pick<ComboboxProps, 'value' | 'choices' | 'isFree' | 'onChange' | 'onBlur'>;

const moves: Record<string, (active: number, last: number) => number> = {
  ArrowDown: (active, last) => (active >= last ? 0 : active + 1),
  ArrowUp: (active, last) => (active <= 0 ? last : active - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** The state behind a combobox: `typed` is null while the input shows the value itself. */
export const useCombobox = (settings: Settings, list: RefObject<HTMLUListElement | null>) => {
  const { value, choices, isFree = false, onChange, onBlur } = settings;
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const matches = typed === null ? [...choices] : matching(choices, typed);

  useEffect(() => {
    if (!isOpen) return;
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active, list]);

  const close = (): void => {
    setIsOpen(false);
    setTyped(null);
  };
  const choose = (choice: string): void => {
    onChange(choice);
    close();
  };
  const open = (): void => {
    if (isOpen) return;
    setIsOpen(true);
    setActive(Math.max(choices.indexOf(value), 0));
  };
  const type = (text: string): void => {
    setTyped(text);
    setIsOpen(true);
    setActive(0);
    const exact = choices.find((choice) => plain(choice) === plain(text));
    if (isFree) onChange(text);
    else onChange(exact ?? '');
  };
  const press = (key: string): boolean => {
    if (!isOpen) {
      if (key.startsWith('Arrow')) open();
      return key.startsWith('Arrow');
    }
    const move = moves[key];
    if (move !== undefined) setActive(move(active, matches.length - 1));
    else if (key === 'Escape') close();
    else if (matches[active] !== undefined && !(isFree && typed !== null && active === 0))
      choose(matches[active]);
    else close();
    return true;
  };
  const leave = (): void => {
    close();
    onBlur();
  };
  return { isOpen, text: typed ?? value, matches, active, choose, open, type, press, leave };
};
