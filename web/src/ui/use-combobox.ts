import { useEffect, useState, type RefObject } from 'react';

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Choices that begin with the text come first, then those that contain it. */
const matching = (choices: readonly string[], text: string): string[] => {
  const needle = plain(text);
  const starts = choices.filter((choice) => plain(choice).startsWith(needle));
  const contains = choices.filter(
    (choice) => !plain(choice).startsWith(needle) && plain(choice).includes(needle),
  );
  return [...starts, ...contains];
};

export type ComboboxSettings = {
  value: string;
  choices: readonly string[];
  /** Other words than the choices may stay; else what matches none is no choice. */
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

/** What was typed as the choice it spells, or none. */
const choiceFor = (choices: readonly string[], text: string): string =>
  choices.find((choice) => plain(choice) === plain(text)) ?? '';

const useScrollIntoView = (list: RefObject<HTMLUListElement | null>, index: number): void => {
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [list, index]);
};

/** Whether the list is open, and what the value was when it opened. */
const useOpening = (value: string) => {
  const [before, setBefore] = useState<string | null>(null);
  return {
    isOpen: before !== null,
    before: before ?? value,
    setOpen: (): void => setBefore((previous) => previous ?? value),
    setClosed: (): void => setBefore(null),
  };
};

/** The state behind a combobox: `typed` is null while the input shows the value itself. */
export const useCombobox = (settings: ComboboxSettings, list: RefObject<HTMLUListElement | null>) => {
  const { value, choices, isFree = false, onChange, onBlur } = settings;
  const { isOpen, before, setOpen, setClosed } = useOpening(value);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const matches = typed === null ? [...choices] : matching(choices, typed);

  useScrollIntoView(list, isOpen ? active : -1);

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
    setActive(Math.max(choices.indexOf(value), 0));
  };
  const type = (text: string): void => {
    setTyped(text);
    setOpen();
    setActive(0);
    onChange(isFree ? text : choiceFor(choices, text));
  };
  // In a free list the first match is only proposed: Enter keeps what was typed until an arrow points at a match.
  const isProposal = isFree && typed !== null && active === 0;
  const accept = (): void => {
    const choice = matches[active];
    if (choice === undefined || isProposal) close();
    else choose(choice);
  };
  const pressOpen = (key: string): void => {
    const move = MOVES[key];
    if (move !== undefined) setActive(move(active, matches.length - 1));
    else if (key === 'Escape') choose(before);
    else accept();
  };
  /** Whether the key was meant for the list. */
  const press = (key: string): boolean => {
    const isForList = isOpen || key.startsWith('Arrow');
    if (isOpen) pressOpen(key);
    else if (isForList) open();
    return isForList;
  };
  const blur = (): void => {
    close();
    onBlur();
  };
  return { isOpen, text: typed ?? value, matches, active, choose, open, type, press, blur };
};
