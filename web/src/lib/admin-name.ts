type Admin = { name: string | null; email: string };

/** The name of an admin; the address until there is one. */
export const adminName = ({ name, email }: Admin): string => name ?? email;

/** The words whose initials stand for a picture; those of the address until there is a name. */
export const initialsOf = ({ name, email }: Admin): string =>
  name ?? email.replace(/@.*/, '').replace(/[._+-]+/g, ' ');
