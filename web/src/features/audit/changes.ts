import type { AuditEntry } from '@shortlist/contracts/api/audit';

export type Change = { name: string; before: string; after: string };

const NOTHING = 'nothing';

const inWords = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return NOTHING;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
};

const nameInWords = (name: string): string => name.replace(/([A-Z])/g, ' $1').toLowerCase();

/** The parts that an entry's two sides do not share. */
export const changesOf = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] => {
  const [old, now] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({
      name: nameInWords(name),
      before: inWords(old.get(name)),
      after: inWords(now.get(name)),
    }))
    .filter((change) => change.before !== change.after);
};
