import type { AuditEntry } from '@shortlist/contracts/api/audit';
import { longDate } from '../../lib/dates.ts';

/** `before` is null in what was only just created. */
export type Change = { name: string; before: string | null; after: string };

type Single = string | number | boolean | null | undefined;

const NOTHING = 'nothing';
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** What machines tell states apart by. */
const FOR_MACHINES = /(^|\.)(version|key|start)$/;

const NAMES: Record<string, string> = {
  'paid.end': 'paid until',
  'paid.graceUntil': 'grace until',
  'granted.end': 'granted until',
  'granted.graceUntil': 'grace until',
  linkedin: 'LinkedIn URL',
};

const isNothing = (value: Single): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** A picture is called by a name that only machines read. */
const inWords = (name: string, value: Single, picture: string): string => {
  if (isNothing(value)) return NOTHING;
  if (name === 'picture') return picture;
  return typeof value === 'string' && MOMENT.test(value) ? longDate(value) : String(value);
};

const nameInWords = (name: string): string =>
  NAMES[name] ??
  name
    .replaceAll('.', ' ')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();

const isGroup = (value: object | Single): value is object => typeof value === 'object' && value !== null;

/** The single values of a state, those of a group under the group's name. */
const valuesOf = (state: object, group = ''): [name: string, value: Single][] =>
  Object.entries(state).flatMap(([name, value]: [string, object | Single]) =>
    isGroup(value) ? valuesOf(value, `${group}${name}.`) : [[`${group}${name}`, value]],
  );

/** The parts that an entry's two sides do not share, in a colleague's words; of something created, what it was created with. */
export const changesOf = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] => {
  const [old, now] = [new Map(valuesOf(before ?? {})), new Map(valuesOf(after ?? {}))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, was: old.get(name), is: now.get(name) }))
    .filter(({ name, was, is }) => !FOR_MACHINES.test(name) && (was ?? '') !== (is ?? ''))
    .map(({ name, was, is }) => ({
      name: nameInWords(name),
      before: before === null ? null : inWords(name, was, 'a picture'),
      after: inWords(name, is, isNothing(was) ? 'a picture' : 'another picture'),
    }))
    .filter((change) => change.before !== change.after);
};
