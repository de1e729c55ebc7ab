import { migration } from '@shortlist/kit/migration';

export const createDirectoryTerms = migration('CreateDirectoryTerms1763700001000', [
  // The words by which a person is found. One index answers "who has a word that begins so", the primary key "has this
  // person such a word"; which of the two is asked depends on how many there are.
  `CREATE TABLE IF NOT EXISTS directory_terms (
    user_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    term VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
    PRIMARY KEY (user_id, term),
    KEY directory_terms_term (term, user_id)
  ) ENGINE=InnoDB`,
]);
