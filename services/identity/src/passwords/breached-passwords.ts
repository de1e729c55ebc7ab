import { createHash } from 'node:crypto';
import { normalPassword } from '@shortlist/contracts/schemas/password';
import type { Log } from '@shortlist/kit/process/log';

export type FindBreach = (password: string) => Promise<boolean>;

const PREFIX = 5;
const TIMEOUT_MS = 1_500;

/**
 * Looks passwords up in a list of breached ones by k-anonymity, as Have I Been Pwned defines it: only the first five characters of
 * the SHA-1 are sent, and the response has the rest of every hash that begins so. Without a response the password is accepted.
 */
export const createFindBreach = ({ url, log }: { url: string; log: Log }): FindBreach => {
  if (url === '') return () => Promise.resolve(false);
  const base = url.endsWith('/') ? url : `${url}/`;
  return async (password) => {
    const hash = createHash('sha1').update(normalPassword(password)).digest('hex').toUpperCase();
    try {
      const response = await fetch(`${base}${hash.slice(0, PREFIX)}`, {
        headers: { 'add-padding': 'true' },
        redirect: 'error', // a redirect could send the prefix to another host, or into our own network
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const lines = (await response.text()).split(/\r?\n/).map((line) => line.split(':'));
      // Padding has the count 0.
      return lines.some(([rest, count]) => rest === hash.slice(PREFIX) && Number(count) > 0);
    } catch (error) {
      log.warn({ err: error }, 'breached passwords not looked up');
      return false;
    }
  };
};
