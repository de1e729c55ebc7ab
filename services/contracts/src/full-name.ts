/** A user's name, as screens, mails, Stripe and the audit log show it. */
export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;
