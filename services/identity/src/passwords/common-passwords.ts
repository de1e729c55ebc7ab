import { readFileSync } from 'node:fs';
import { normalPassword } from '@shortlist/contracts/schemas/password';
import { containsText } from './bloom-filter.ts';

const FILE = new URL('common-passwords.bloom', import.meta.url);

/** The form in which common passwords are stored and looked up. */
export const commonForm = (password: string): string => normalPassword(password).toLowerCase();

/** Returns whether a password is among the 100,000 commonest, in any case. common-passwords.md describes the file. */
export const readCommonPasswords = (): ((password: string) => boolean) => {
  const filter = readFileSync(FILE);
  return (password) => containsText(filter, commonForm(password));
};
