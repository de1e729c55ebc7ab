import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { emptyState, type State } from './state.ts';

const SAVE_DELAY_MS = 300;

export class StateFileError extends Error {}

export type Persistence = {
  changed(): void;
  saveNow(): void;
};

const revive = (_key: string, value: unknown): unknown => {
  const isTable = typeof value === 'object' && value !== null && '$entries' in value;
  return isTable ? new Map(value.$entries as [string, unknown][]) : value;
};

export const loadState = (file: string | null): State => {
  if (file === null || !existsSync(file)) return emptyState();
  try {
    return { ...emptyState(), ...(JSON.parse(readFileSync(file, 'utf8'), revive) as State) };
  } catch (cause) {
    throw new StateFileError(`The state file ${file} cannot be read; remove it to begin anew.`, { cause });
  }
};

const flatten = (_key: string, value: unknown): unknown =>
  value instanceof Map ? { $entries: [...value] } : value;

export const createPersistence = (file: string | null, currentState: () => State): Persistence => {
  if (file === null) return { changed: () => undefined, saveNow: () => undefined };
  let timer: NodeJS.Timeout | null = null;

  const saveNow = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    // Written aside and renamed: a stop in the middle of writing must leave the previous file whole.
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, JSON.stringify(currentState(), flatten), { mode: 0o600 });
    renameSync(temporary, String(file));
  };

  const changed = (): void => {
    timer ??= setTimeout(saveNow, SAVE_DELAY_MS).unref();
  };

  return { changed, saveNow };
};
