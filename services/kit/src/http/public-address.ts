import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet: not to this machine, a private network, a multicast group or another range that
 * IANA reserves, also when an IPv6 address only wraps such an IPv4 one.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

/** Whether the host of an address may be public: a name may, and an IP address that is. Names are resolved when they are used. */
export const mayBePublic = (url: URL): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? isPublicAddress(host) : host !== 'localhost' && !host.endsWith('.localhost');
};
