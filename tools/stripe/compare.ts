import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recording } from './recording.ts';

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Compares field by field, whatever their order. */
const walk = (path: string, one: unknown, other: unknown): string[] => {
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other))
    return Object.is(one, other) ? [] : [`${path}: ${show(one)} | ${show(other)}`];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => walk(`${path}.${key}`, one[key], other[key]));
};

const WIDTH = 120;
const show = (value: unknown): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, WIDTH);

const whyNot = ({ notPossible, failed }: Recording): string | undefined => notPossible ?? failed;

const isWhole = (recording: Recording): boolean => whyNot(recording) === undefined;

/** A scenario that one of the two could not finish is compared as far as both came. */
const compareCalls = (one: Recording, other: Recording): string[] => {
  const counts = [one.calls.length, other.calls.length];
  const count = isWhole(one) && isWhole(other) ? Math.max(...counts) : Math.min(...counts);
  return Array.from({ length: count }, (_, index) => {
    const [call, otherCall] = [one.calls[index], other.calls[index]];
    const name = `${one.scenario} ${index + 1} ${(call ?? otherCall)?.call ?? ''}`;
    return call && otherCall
      ? walk(name, call, otherCall)
      : [`${name}: only in ${call ? 'the first' : 'the second'}`];
  }).flat();
};

const compareEvents = ({ scenario, events }: Recording, other: Recording): string[] => {
  const types = [...new Set([...Object.keys(events), ...Object.keys(other.events)])];
  return types.flatMap((type) =>
    walk(`${scenario} event ${type}`, events[type] ?? [], other.events[type] ?? []),
  );
};

export type Comparison = {
  differences: string[];
  /** Scenarios that one of the two could not finish or does not have. */
  notCompared: string[];
};

const compareScenario = (one: Recording, other: Recording): Comparison => {
  const reason = whyNot(one) ?? whyNot(other);
  const differences = compareCalls(one, other);
  return reason === undefined
    ? { differences: [...differences, ...compareEvents(one, other)], notCompared: [] }
    : { differences, notCompared: [`${one.scenario}: ${reason}`] };
};

const MISSING = 'is only in one of the two';

/** Names each difference by scenario, call and path. */
export const compare = (ones: Recording[], others: Recording[]): Comparison => {
  const all = Object.values(Object.groupBy([...ones, ...others], ({ scenario }) => scenario));
  const results = all.map(([one, other] = []): Comparison => {
    if (one && other) return compareScenario(one, other);
    return { differences: [], notCompared: [`${one?.scenario ?? ''} ${MISSING}`] };
  });
  return {
    differences: results.flatMap(({ differences }) => differences),
    notCompared: results.flatMap(({ notCompared }) => notCompared),
  };
};

export const writeRecording = async (folder: string, recording: Recording): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${recording.scenario}.json`), `${JSON.stringify(recording, null, 2)}\n`);
};

export const readRecordings = async (folder: string): Promise<Recording[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Recording);
};
