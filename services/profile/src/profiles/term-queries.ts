import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { EntitySchema, In } from 'typeorm';
import { profileColumns, type ProfileRow } from './queries.ts';
import { rowTermsOf } from './terms.rules.ts';

/** The columns by which the directory filters and sorts; each row of a term repeats them (decision 12). */
const { email, firstName, lastName, organizationName, country, createdAt, premiumUntil, terms } =
  profileColumns;
const copied = { email, firstName, lastName, organizationName, country, createdAt, premiumUntil, terms };
type Copy = Pick<ProfileRow, keyof typeof copied>;
type IndexedProfile = Copy & { id: string };

export const directoryTermEntity = new EntitySchema<Copy & { term: string; userId: string }>({
  name: 'directory_term',
  tableName: 'directory_terms',
  columns: {
    term: { type: 'varchar', length: 100, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    ...copied,
  },
});

/** The rows of a user by the whole primary key: the table has no index by user. */
const keysOf = (profile: IndexedProfile) => ({ term: In(rowTermsOf(profile)), userId: profile.id });

export const deleteTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  await tx.getRepository(directoryTermEntity).delete(keysOf(profile));
};

export const insertTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  // Two terms that differ in accents only are one to the database, which ignores the second.
  const rows = rowTermsOf(profile).map((term) => ({ ...profile, userId: profile.id, term }));
  await insertIfAbsent(tx, directoryTermEntity, rows);
};

export const updatePlanOfTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  const { premiumUntil: until } = profile;
  await tx.getRepository(directoryTermEntity).update(keysOf(profile), { premiumUntil: until });
};
