import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { emptyState, type State } from './state.ts';

const SAVE_DELAY_MS = 300;

export class StateFileError extends Error {}

export type Persistence = {
  scheduleSave(): void;
  saveNow(): void;
};

const reviveMap = (_key: string, value: unknown): unknown => {
  const isMap = typeof value === 'object' && value !== null && '$entries' in value;
  return isMap ? new Map(value.$entries as [string, unknown][]) : value;
};

export const loadState = (file: string | null): State => {
  if (file === null || !existsSync(file)) return emptyState();
  try {
    return { ...emptyState(), ...(JSON.parse(readFileSync(file, 'utf8'), reviveMap) as State) };
  } catch (cause) {
    throw new StateFileError(`The state file ${file} cannot be read; remove it to start empty.`, { cause });
  }
};

const serializeMap = (_key: string, value: unknown): unknown =>
  value instanceof Map ? { $entries: [...value] } : value;

export const createPersistence = (file: string | null, currentState: () => State): Persistence => {
  if (file === null) return { scheduleSave: () => undefined, saveNow: () => undefined };
  let timer: NodeJS.Timeout | null = null;

  const saveNow = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    // Rename is atomic: a crash during the write leaves the previous file intact.
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, JSON.stringify(currentState(), serializeMap), { mode: 0o600 });
    renameSync(temporary, String(file));
  };

  const scheduleSave = (): void => {
    timer ??= setTimeout(saveNow, SAVE_DELAY_MS).unref();
  };

  return { scheduleSave, saveNow };
};
