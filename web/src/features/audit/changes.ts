import type { AuditEntry } from '@shortlist/contracts/api/audit';
import { PROFILE_FIELDS } from '@shortlist/contracts/profile-fields';
import { longDate } from '../../lib/dates.ts';

/** `before` is null when the entry records a creation. */
export type Change = { name: string; before: string | null; after: string };

type Scalar = string | number | boolean | null | undefined;

const NOTHING = 'nothing';
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** Fields that mean nothing to an admin. */
const INTERNAL_FIELD = /(^|\.)(version|key|start)$/;

const FIELD_LABELS: Record<string, string> = {
  'paid.end': 'paid until',
  'paid.graceUntil': 'grace until',
  'granted.end': 'granted until',
  'granted.graceUntil': 'grace until',
  linkedin: PROFILE_FIELDS.find(({ name }) => name === 'linkedin')?.label ?? 'linkedin',
};

const isEmpty = (value: Scalar): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** A picture's file name means nothing to an admin. */
const formatValue = (name: string, value: Scalar, picture: string): string => {
  if (isEmpty(value)) return NOTHING;
  if (name === 'picture') return picture;
  return typeof value === 'string' && TIMESTAMP.test(value) ? longDate(value) : String(value);
};

const fieldLabel = (name: string): string =>
  FIELD_LABELS[name] ??
  name
    .replaceAll('.', ' ')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();

const isGroup = (value: object | Scalar): value is object => typeof value === 'object' && value !== null;

/** The scalar values of a state by their dotted path. */
const valuesOf = (state: object, group = ''): [name: string, value: Scalar][] =>
  Object.entries(state).flatMap(([name, value]: [string, object | Scalar]) =>
    isGroup(value) ? valuesOf(value, `${group}${name}.`) : [[`${group}${name}`, value]],
  );

/** The changed fields of an audit entry with readable names and values; for a creation, its initial values. */
export const changesOf = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] => {
  const [oldValues, newValues] = [new Map(valuesOf(before ?? {})), new Map(valuesOf(after ?? {}))];
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .map((name) => ({ name, oldValue: oldValues.get(name), newValue: newValues.get(name) }))
    .filter(
      ({ name, oldValue, newValue }) => !INTERNAL_FIELD.test(name) && (oldValue ?? '') !== (newValue ?? ''),
    )
    .map(({ name, oldValue, newValue }) => ({
      name: fieldLabel(name),
      before: before === null ? null : formatValue(name, oldValue, 'a picture'),
      after: formatValue(name, newValue, isEmpty(oldValue) ? 'a picture' : 'another picture'),
    }))
    .filter((change) => change.before !== change.after);
};
