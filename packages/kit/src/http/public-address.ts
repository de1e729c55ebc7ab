import ipaddr from 'ipaddr.js';

/** The only IPv6 addresses of the internet. The parser calls others unicast as well, such as `::127.0.0.1`. Source: IANA, RFC 4291 (2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Where Azure answers its machines, in a public range. The metadata addresses of others are link-local. */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Whether an IP address belongs to the public internet: not to this machine, a private network, a multicast group or another range that
 * IANA reserves, also when an IPv6 address only wraps such an IPv4 one.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6)) return false;
  return parsed.range() === 'unicast' && parsed.toString() !== AZURE_PLATFORM;
};

/** Whether the host of an address may be public: a name may, and an IP address that is. Names are resolved when they are used. */
export const mayBePublic = (url: URL): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? isPublicAddress(host) : host !== 'localhost' && !host.endsWith('.localhost');
};
