import type { Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import { directoryTermEntity, type DirectoryTermRow } from './directory-term.entity.ts';
import { addressTerm, splitTerms } from './terms.rules.ts';

/** The columns of a profile that its terms repeat, and its id. */
export type IndexedProfile = Omit<DirectoryTermRow, 'term' | 'userId'> & { id: string };
type TermOwner = Pick<IndexedProfile, 'id' | 'email' | 'terms'>;

const termsOfProfile = ({ email, terms }: Omit<TermOwner, 'id'>): string[] => [
  addressTerm(email),
  ...splitTerms(terms),
];

export const insertTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  const { id: userId, email, firstName, lastName, organizationName, country } = profile;
  const { createdAt, premiumUntil, terms } = profile;
  const copy = {
    userId,
    email,
    firstName,
    lastName,
    organizationName,
    country,
    createdAt,
    premiumUntil,
    terms,
  };
  await tx
    .createQueryBuilder()
    .insert()
    .orIgnore()
    .into(directoryTermEntity)
    .values(termsOfProfile(profile).map((term) => ({ ...copy, term })))
    .updateEntity(false)
    .execute();
};

/** Deletes by the whole primary key: the table has no index by user (decision 12). */
export const deleteTerms = async (tx: Tx, { id, email, terms }: TermOwner): Promise<void> => {
  await tx
    .getRepository(directoryTermEntity)
    .delete({ term: In(termsOfProfile({ email, terms })), userId: id });
};

export const replaceTerms = async (tx: Tx, current: TermOwner, updated: IndexedProfile): Promise<void> => {
  await deleteTerms(tx, current);
  await insertTerms(tx, updated);
};

export const updatePlanOfTerms = async (
  tx: Tx,
  { id, email, terms, premiumUntil }: TermOwner & Pick<DirectoryTermRow, 'premiumUntil'>,
): Promise<void> => {
  await tx
    .getRepository(directoryTermEntity)
    .update({ term: In(termsOfProfile({ email, terms })), userId: id }, { premiumUntil });
};
