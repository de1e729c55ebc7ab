// Reports to an operator the accounts whose emails are stored in several spellings. It does not merge them: both accounts may have a plan,
// credits and data, and only their owner knows which one is used.
import { readableEmail } from '@shortlist/contracts/unicode';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { type Action, type Command, EXIT, JSON_OPTION } from '@shortlist/operator/command';
import { withServiceDb } from '@shortlist/operator/service-db';
import { listSpellings, type Mailbox } from './accounts/email-spellings.ts';
import { readAdminConfig } from './config.ts';
import { schema } from './db.ts';

/** An email masked to its first letter and its domain, where spellings differ most often. */
const masked = (email: string): string => email.replace(/^(.).*(?=@)/su, '$1***');

const presented = ({ email, accounts }: Mailbox): object => ({
  email: masked(email),
  accounts: accounts.map((account) => ({ ...account, email: masked(account.email) })),
});

const linesOf = ({ email, accounts }: Mailbox): string[] => [
  `${masked(readableEmail(email))}: ${accounts.length} account${accounts.length === 1 ? '' : 's'}`,
  ...accounts.map(({ id, email: stored, role, createdAt, isReachable }) =>
    [
      `  ${id}`,
      role,
      `since ${createdAt.toISOString().slice(0, 10)}`,
      masked(stored),
      isReachable ? 'can log in' : 'cannot log in: stored in another spelling',
    ].join('  '),
  ),
];

const compare: Action = {
  name: 'compare',
  about: 'lists accounts whose emails differ in spelling only; changes nothing',
  words: [],
  options: JSON_OPTION,
  timeoutSeconds: inSeconds(minutes(30)),
  run: async ({ env, options, terminal }) => {
    const { DATABASE_URL: url } = readAdminConfig(env);
    const mailboxes = await withServiceDb({ url, schema }, (db) => listSpellings(db));
    if (options['json'] === true) terminal.print(JSON.stringify(mailboxes.map(presented)));
    else if (mailboxes.length === 0)
      terminal.print('Every account is stored in the one spelling of its email.');
    else for (const line of mailboxes.flatMap(linesOf)) terminal.print(line);
    return mailboxes.length === 0 ? EXIT.done : EXIT.failed;
  },
};

export const emailsCommand: Command = { actions: [compare] };
