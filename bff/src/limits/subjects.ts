import { hash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/** Names an e-mail address in a key of Redis, which must not contain the address itself. */
export const emailKey = (email: string): string => hash('sha256', email, 'base64url');

/** ada+1@ and ada+2@ are two addresses of the mailbox ada@. */
const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

export const isAlias = (email: string): boolean => mailboxOf(email) !== email;

/** Names the mailbox of an address, which is one for all its aliases. */
export const mailboxKey = (email: string): string => emailKey(mailboxOf(email));

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of the network part: an IPv6 client usually has a whole /64 to itself and can change the rest for each request. */
const NETWORK_GROUPS = 4;

/** The eight groups of an IPv6 address, without leading zeros. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
};

const networkOfGroups = (address: string, count: number): string =>
  `${groupsOf(address).slice(0, count).join(':')}::/${16 * count}`;

/** What a rate limit counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (address: string): string => {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? networkOfGroups(address, NETWORK_GROUPS) : address;
};

/** Groups that are stored of an IPv6 address: those of a provider's customer, at most. */
const STORED_GROUPS = 3;

/** What is stored of a client's address: the /24 of an IPv4 address, the /48 of an IPv6 address. Neither names one client. */
export const storedNetworkOf = (address: string): string => {
  const ipv4 = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(ipv4)) return `${ipv4.slice(0, ipv4.lastIndexOf('.'))}.0/24`;
  return isIPv6(address) ? networkOfGroups(address, STORED_GROUPS) : '';
};
