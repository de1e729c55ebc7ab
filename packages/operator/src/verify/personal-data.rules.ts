// What may remain of a deleted user (decisions 9 and 18). A row of an existing account may contain anything. In any other row, text that a
// person could have written is empty or redacted, and an email belongs to an account, an invitation or a change of an email. Names and emails
// of deleted users are not stored anywhere, so nothing can be compared with them.

/** A table with its text columns. */
export type TextTable = {
  name: string;
  key: string[];
  /** The column with the id of the row's account. */
  owner: string | null;
  columns: string[];
  /** The columns that can store what people write, because their characters are not limited to those of ids and codes. */
  written: string[];
};

export type TextRow = { key: string; owner: string | null; texts: Record<string, string | null> };

type Exemption = {
  table: string;
  column: string;
  /** Whether it may contain emails as well. */
  addresses: boolean;
  reason: string;
};

/** The columns that may have text although their account is deleted. */
const EXEMPTIONS: readonly Exemption[] = [
  {
    table: 'invoices',
    column: 'number',
    addresses: false,
    reason: 'accounting keeps the numbers of invoices',
  },
  { table: 'subscribers', column: 'paid', addresses: false, reason: 'periods and ids that accounting keeps' },
  { table: 'subscribers', column: 'granted', addresses: false, reason: 'periods and ids' },
  { table: 'subscribers', column: 'problem', addresses: false, reason: 'states and ids of invoices' },
  { table: 'stripe_events', column: 'payload', addresses: false, reason: 'ids, amounts and states' },
  {
    table: 'stripe_events',
    column: 'last_error',
    addresses: false,
    reason: "messages of the product and of Stripe's API",
  },
  { table: 'alerts', column: 'detail', addresses: false, reason: 'what Stripe says about a payment' },
  {
    table: 'alerts',
    column: 'note',
    addresses: false,
    reason: 'what became of a payment of a deleted user; notes from before the deletion are removed',
  },
  {
    table: 'mails',
    column: 'last_error',
    addresses: false,
    reason: 'messages of the product and of the provider',
  },
  { table: 'saved_filters', column: 'name', addresses: false, reason: 'what an admin calls a filter' },
  { table: 'saved_filters', column: 'query', addresses: false, reason: 'choices, without searched text' },
  { table: 'bulk_jobs', column: 'reason', addresses: false, reason: 'what an admin wrote about many users' },
  { table: 'bulk_jobs', column: 'options', addresses: false, reason: 'what an admin chose for many users' },
  { table: 'mail_texts', column: 'data', addresses: false, reason: 'what an admin wrote to many users' },
  {
    table: 'bulk_jobs',
    column: 'filter',
    addresses: true,
    reason: 'what an admin searched; removed as soon as the users are found',
  },
  {
    table: 'outbox',
    column: 'payload',
    addresses: true,
    reason: 'events expire (decision 18); older ones are found by age',
  },
];

const findExemption = (table: string, column: string): Exemption | undefined =>
  EXEMPTIONS.find((exemption) => exemption.table === table && exemption.column === column);

const ADDRESS = /[^\s"'<>(),:;\\[\]@]+@[^\s"'<>(),:;\\[\]@/]+\.[^\s"'<>(),:;\\[\]@/.]+/gu;

/** The emails in a text, in the form in which they are compared. */
const addressesIn = (text: string): string[] =>
  (text.match(ADDRESS) ?? []).map((address) => address.normalize('NFKC').toLowerCase());

/** Whether a row is a notice, or what the audit log keeps of one: it is about no person, and may name an address of support. */
const isOfNotice = ({ name }: TextTable, { texts }: TextRow): boolean =>
  name === 'notices' || (name === 'audit_log' && texts['action']?.startsWith('notice.') === true);

/** The emails in a row, except in columns that may contain emails without an account. */
export const addressesOf = (table: TextTable, row: TextRow): string[] =>
  isOfNotice(table, row)
    ? []
    : Object.entries(row.texts)
        .filter(([column]) => findExemption(table.name, column)?.addresses !== true)
        .flatMap(([, text]) => addressesIn(text ?? ''));

const isRedactedState = (value: unknown): boolean => {
  if (typeof value === 'string') return value === '(redacted)';
  return typeof value !== 'object' || value === null || Object.values(value).every(isRedactedState);
};

const isEmpty = (text: string | null): boolean => {
  if (text === null || text.trim() === '') return true;
  try {
    return isRedactedState(JSON.parse(text));
  } catch {
    return false;
  }
};

/** Actions that are recorded about deleted users: with amounts, ids, and admins' notes on alerts. */
const AFTER_DELETION = new Set<string | null | undefined>([
  'account.delete',
  'payment.refund',
  'alert.resolve',
  'alert.reopen',
]);

/** The columns that still have a person's text, in a row whose account does not exist. */
export const leftovers = (table: TextTable, row: TextRow): string[] => {
  const { name, written } = table;
  const { texts } = row;
  if (isOfNotice(table, row) || (name === 'audit_log' && AFTER_DELETION.has(texts['action']))) return [];
  return written.filter(
    (column) => !isEmpty(texts[column] ?? null) && findExemption(name, column) === undefined,
  );
};
