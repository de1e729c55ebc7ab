import { EntitySchema } from 'typeorm';

/** A search term of a user, with a copy of the profile's columns by which the directory filters and sorts (decision 12). */
export type DirectoryTermRow = {
  term: string;
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string;
  country: string;
  createdAt: Date;
  premiumUntil: Date | null;
  terms: string;
};

export const directoryTermEntity = new EntitySchema<DirectoryTermRow>({
  name: 'directory_term',
  tableName: 'directory_terms',
  columns: {
    term: { type: 'varchar', length: 100, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    firstName: { name: 'first_name', type: 'varchar', length: 100 },
    lastName: { name: 'last_name', type: 'varchar', length: 100 },
    organizationName: { name: 'organization_name', type: 'varchar', length: 200 },
    country: { type: 'varchar', length: 60 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    premiumUntil: { name: 'premium_until', type: 'datetime', precision: 3, nullable: true },
    terms: { type: 'varchar', length: 800 },
  },
});
