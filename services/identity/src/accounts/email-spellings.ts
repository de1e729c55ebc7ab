// Accounts from before emails were normalized. Two spellings of a mailbox could become two accounts, and an email that is not stored in today's
// form is not found by any log-in. This only reads, because a person must decide which account stays.
import { asciiEmail } from '@shortlist/contracts/unicode';
import type { Db } from '@shortlist/kit/data/db';
import { type EmailRow, listEmails, listEmailsAfter } from './queries.ts';

const PAGE = 5_000;

/** The accounts of one mailbox. `email` is its normalized form. */
export type Mailbox = { email: string; accounts: (EmailRow & { isReachable: boolean })[] };

/** The accounts whose stored email is not in the normalized form. */
const listOthers = async (db: Db, pageSize: number): Promise<EmailRow[]> => {
  const others: EmailRow[] = [];
  for (let after = ''; ;) {
    const rows = await listEmailsAfter(db.manager, after, pageSize);
    others.push(...rows.filter(({ email }) => asciiEmail(email) !== email));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return others;
    after = last.id;
  }
};

/**
 * The mailboxes with an account that is not in the normalized form, with all of their accounts, oldest first. Two accounts of one mailbox
 * always include such an account, because a spelling has at most one.
 */
export const listSpellings = async (db: Db, pageSize = PAGE): Promise<Mailbox[]> => {
  const others = await listOthers(db, pageSize);
  const emails = [...new Set(others.map(({ email }) => asciiEmail(email)))];
  const mailboxes = new Map(emails.map((email) => [email, [] as EmailRow[]]));
  for (let start = 0; start < emails.length; start += pageSize)
    others.push(...(await listEmails(db.manager, emails.slice(start, start + pageSize))));
  for (const account of others) mailboxes.get(asciiEmail(account.email))?.push(account);
  return Array.from(mailboxes, ([email, accounts]) => ({
    email,
    accounts: accounts
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map((account) => ({ ...account, isReachable: account.email === email })),
  }));
};
