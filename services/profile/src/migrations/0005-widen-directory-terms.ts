import { migration } from '@shortlist/kit/migration';

const TEXT = "CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT ''";

export const widenDirectoryTerms = migration('WidenDirectoryTerms1763900001000', [
  // All words of a person in their own row: whether somebody has a word is seen there, without a look at other rows.
  `ALTER TABLE profiles ADD COLUMN IF NOT EXISTS words VARCHAR(800) ${TEXT}`,
  `UPDATE profiles p JOIN (
     SELECT user_id, CONCAT(' ', GROUP_CONCAT(term SEPARATOR ' ')) AS words FROM directory_terms
     WHERE term NOT LIKE '@%' GROUP BY user_id
   ) AS t ON t.user_id = p.user_id SET p.words = t.words`,
  // Each word carries what a list is narrowed and ordered by, and the words lie in their own order: those who have a word are
  // one stretch of the table, read without a look at anybody's profile (decision 12).
  `ALTER TABLE directory_terms
    ADD COLUMN IF NOT EXISTS email VARCHAR(254) ${TEXT},
    ADD COLUMN IF NOT EXISTS first_name VARCHAR(100) ${TEXT},
    ADD COLUMN IF NOT EXISTS last_name VARCHAR(100) ${TEXT},
    ADD COLUMN IF NOT EXISTS organization_name VARCHAR(200) ${TEXT},
    ADD COLUMN IF NOT EXISTS country VARCHAR(60) ${TEXT},
    ADD COLUMN IF NOT EXISTS created_at DATETIME(3) NOT NULL DEFAULT '1970-01-01',
    ADD COLUMN IF NOT EXISTS premium_until DATETIME(3) NULL,
    ADD COLUMN IF NOT EXISTS words VARCHAR(800) ${TEXT},
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (term, user_id),
    DROP KEY IF EXISTS directory_terms_term`,
  `UPDATE directory_terms t JOIN profiles p ON p.user_id = t.user_id
   SET t.email = p.email, t.first_name = p.first_name, t.last_name = p.last_name,
     t.organization_name = p.organization_name, t.country = p.country, t.created_at = p.created_at,
     t.premium_until = p.premium_until, t.words = p.words`,
]);
