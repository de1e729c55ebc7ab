// What becomes of the mails to an address, and the lists of addresses to which SendGrid sends nothing.
import Joi from 'joi';

/** `block` refuses a mail once, and `complain` takes it and reports it as spam; `drop` is an address that SendGrid finds invalid. */
const FATES = ['deliver', 'bounce', 'block', 'drop', 'complain', 'defer'] as const;
export type Fate = (typeof FATES)[number];

export const mailboxSchema = Joi.object<{ email: string; fate: Fate }>({
  email: Joi.string().email({ tlds: false }).lowercase().required(),
  fate: Joi.string()
    .valid(...FATES)
    .required(),
});

export const SUPPRESSION_LISTS = ['bounces', 'invalid_emails', 'spam_reports'] as const;
export type SuppressionList = (typeof SUPPRESSION_LISTS)[number];
const isList = (name: string): name is SuppressionList =>
  (SUPPRESSION_LISTS as readonly string[]).includes(name);

type WithMailboxes = {
  /** Mails to any other address are delivered. */
  mailboxes: Map<string, Fate>;
  /** The suppressed addresses, each after the list it is on. */
  suppressions: Map<string, SuppressionList>;
};

const keyOf = (list: SuppressionList, email: string): string => `${list}/${email}`;

/** Removes an address from a list. Returns false when it is not on it, or there is no such list. */
export const removeSuppression = ({ suppressions }: WithMailboxes, list: string, email: string): boolean =>
  isList(list) && suppressions.delete(keyOf(list, email.toLowerCase()));

/** What SendGrid's events say of a mail to an address, in their order. */
export type Fated = { event: string; type?: string; reason?: string; response?: string; status?: string }[];

const DELIVERED = { event: 'delivered', response: '250 OK' };

const dropped = (reason: string): Fated => [{ event: 'dropped', reason, status: '5.0.0' }];

const DROPS: readonly [SuppressionList, string][] = [
  ['bounces', 'Bounced Address'],
  ['invalid_emails', 'Invalid'],
  ['spam_reports', 'Spam Reporting Address'],
];

const TRIES: Record<Fate, (email: string) => Fated> = {
  deliver: () => [{ event: 'processed' }, DELIVERED],
  bounce: (email) => [
    { event: 'processed' },
    {
      event: 'bounce',
      type: 'bounce',
      status: '5.1.1',
      reason: `550 5.1.1 <${email}>: Recipient address rejected: User unknown`,
    },
  ],
  block: () => [
    { event: 'processed' },
    { event: 'bounce', type: 'blocked', status: '4.7.1', reason: '421 4.7.1 Try again later' },
  ],
  drop: () => dropped('Invalid'),
  complain: () => [{ event: 'processed' }, DELIVERED, { event: 'spamreport' }],
  defer: () => [{ event: 'processed' }, { event: 'deferred', response: '451 4.3.2 Please try again later' }],
};

const LISTED_BY: Partial<Record<Fate, SuppressionList>> = {
  bounce: 'bounces',
  drop: 'invalid_emails',
  complain: 'spam_reports',
};

/** Sends a mail to an address, and returns what became of it. `bypassesSpam`: the mail goes to who reported others as spam, too. */
export const sendTo = (
  state: WithMailboxes,
  address: string,
  { bypassesSpam }: { bypassesSpam: boolean },
): Fated => {
  const email = address.toLowerCase();
  const drop = DROPS.find(
    ([list]) => state.suppressions.has(keyOf(list, email)) && !(list === 'spam_reports' && bypassesSpam),
  );
  if (drop !== undefined) return dropped(drop[1]);
  const fate = state.mailboxes.get(email) ?? 'deliver';
  const list = LISTED_BY[fate];
  if (list !== undefined) state.suppressions.set(keyOf(list, email), list);
  return TRIES[fate](email);
};
