import { messages } from '@shortlist/contracts/messages';

/** The text that lies beside the data in a user's file. */
export const exportText = messages({
  readme: `This file contains everything that {brand} stores about you, as of {date}.

Each folder is a part of the product. Each list is there twice, with the same content: as JSON, for programs, and as CSV, for spreadsheets. All times are in UTC. Amounts are in the smallest unit of their currency, such as cents.

account/    your account, your sign-ins, and the ways in which you sign in
profile/    your profile and your picture
billing/    your plan, your subscriptions, your invoices with their links, and disputes
credits/    the periods of your credits, and every credit that you used
mails/      the emails that we sent you
changes/    what you or our support changed, and when

Passwords, codes and keys are not in this file: we store them only in a form that cannot be read.
Our payment provider stores your card. We never see it.
`,
});
