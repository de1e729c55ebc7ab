import { migration } from '@shortlist/kit/data/migration';

const NAMED_PAGE = 'linkedin[.]com/(in|company|school|showcase)/';

/** `contacts.reference` is the key of a contact, which may be longer than the reference that it is made from. */
export const contactKeys = migration('ContactKeysCredits1795300000000', [
  'ALTER TABLE contacts MODIFY COLUMN reference VARCHAR(600) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL',
  // The keys of the usual references. Any other one keeps its spelling until the thirty days of its charge are over.
  `UPDATE IGNORE contacts SET reference = REGEXP_SUBSTR(LOWER(reference), '${NAMED_PAGE}[^/?#]+')
    WHERE LOWER(reference) REGEXP '^(https?://)?([a-z0-9-]+[.])*${NAMED_PAGE}[^/?#%]+([/?#]|$)'`,
  "UPDATE IGNORE contacts SET reference = LOWER(reference) WHERE LOWER(reference) NOT LIKE '%linkedin.com/%'",
]);
