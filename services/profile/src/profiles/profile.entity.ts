import { mapFields, type ProfileFieldName, profileFields } from '@shortlist/contracts/profile-fields';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

export type ProfileRow = Record<ProfileFieldName, string> & {
  id: string;
  email: string;
  /** The version of the address: an older event changes nothing. */
  emailVersion: number;
  picture: string | null;
  createdAt: Date;
  version: number;
  planVersion: number;
  premiumUntil: Date | null;
  /** The user's search terms as one text. */
  terms: string;
};

const fieldColumns = mapFields(profileFields, ({ column, max }): EntitySchemaColumnOptions => ({
  name: column,
  type: 'varchar',
  length: max,
})) as Record<ProfileFieldName, EntitySchemaColumnOptions>;

export const profileEntity = new EntitySchema<ProfileRow>({
  name: 'profile',
  tableName: 'profiles',
  columns: {
    ...fieldColumns,
    id: { name: 'user_id', type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    emailVersion: { name: 'email_version', type: 'int', unsigned: true, default: 1 },
    picture: { type: 'char', length: 36, nullable: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    version: { type: 'int', unsigned: true },
    planVersion: { name: 'plan_version', type: 'int', unsigned: true },
    premiumUntil: { name: 'premium_until', type: 'datetime', precision: 3, nullable: true },
    terms: { type: 'varchar', length: 800 },
  },
});
