import { exampleProfile } from '@shortlist/contracts/testing/examples';

let count = 0;
export const newId = (): string => `0198a0b0-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`;

export const profileFields = exampleProfile();
