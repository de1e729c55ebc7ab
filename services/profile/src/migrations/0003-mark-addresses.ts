import { migration } from '@shortlist/kit/migration';

export const markAddresses = migration('MarkAddresses1763800001000', [
  // Whole addresses lie apart from words, behind a mark of their own.
  `UPDATE IGNORE directory_terms SET term = LEFT(CONCAT('@', term), 100) WHERE term LIKE '_%@%'`,
]);
