import { migration } from '@shortlist/kit/data/migration';

/**
 * Secrets that are sent by mail, as hashes: a token in a link, and for some purposes a short code as well. `reference` names what
 * the token is about, such as one change of an e-mail address.
 */
export const mailedTokens = migration('MailedTokensIdentity1795400001000', [
  `CREATE TABLE IF NOT EXISTS mailed_tokens (
    token_hash CHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    purpose VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    account_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    reference CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    code_hash CHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    used_at DATETIME(3) NULL,
    KEY mailed_tokens_account (account_id, purpose),
    KEY mailed_tokens_expiry (expires_at)
  ) ENGINE=InnoDB`,
]);
