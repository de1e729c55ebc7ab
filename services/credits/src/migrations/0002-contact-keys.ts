import { migration } from '@shortlist/kit/data/migration';

/** `contacts.reference` is the key of a contact, which may be longer than the reference that it is made from. */
export const contactKeys = migration('ContactKeysCredits1795300000000', [
  'ALTER TABLE contacts MODIFY COLUMN reference VARCHAR(600) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL',
  // The key of an e-mail address or a name. A LinkedIn address keeps its spelling until the thirty days of its charge are over.
  "UPDATE IGNORE contacts SET reference = LOWER(reference) WHERE reference NOT LIKE '%linkedin.com/%'",
]);
