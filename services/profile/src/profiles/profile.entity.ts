import type { ProfileFields } from '@shortlist/contracts/schemas/account';
import { EntitySchema } from 'typeorm';

export type ProfileRow = ProfileFields & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: Date;
  version: number;
  roleType: string;
  planVersion: number;
  premiumUntil: Date | null;
  /** The user's search terms as one text. */
  terms: string;
};

export const profileEntity = new EntitySchema<ProfileRow>({
  name: 'profile',
  tableName: 'profiles',
  columns: {
    id: { name: 'user_id', type: 'char', length: 36, primary: true },
    email: { type: 'varchar' },
    firstName: { name: 'first_name', type: 'varchar' },
    lastName: { name: 'last_name', type: 'varchar' },
    organizationName: { name: 'organization_name', type: 'varchar' },
    typeOfOrganization: { name: 'type_of_organization', type: 'varchar' },
    primaryRecruitingIndustry: { name: 'primary_recruiting_industry', type: 'varchar' },
    country: { type: 'varchar' },
    city: { type: 'varchar' },
    linkedin: { type: 'varchar' },
    picture: { type: 'char', length: 36, nullable: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    version: { type: 'int' },
    roleType: { name: 'role_type', type: 'varchar' },
    planVersion: { name: 'plan_version', type: 'int' },
    premiumUntil: { name: 'premium_until', type: 'datetime', precision: 3, nullable: true },
    terms: { type: 'varchar', length: 800 },
  },
});
