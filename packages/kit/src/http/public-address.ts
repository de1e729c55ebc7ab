import ipaddr from 'ipaddr.js';

/** The only IPv6 addresses of the internet. The parser also classifies others as unicast, such as `::127.0.0.1`. Source: IANA, RFC 4291 (2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's metadata address, in a public range. Those of other clouds are link-local. */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Whether an IP address belongs to the public internet, and not to this machine, a private network, a multicast group or another range reserved
 * by IANA, even if an IPv6 address wraps it.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6)) return false;
  return parsed.range() === 'unicast' && parsed.toString() !== AZURE_PLATFORM;
};

/** Whether the host of a URL may be public: any name, or a public IP address. Names are resolved when they are used. */
export const mayBePublic = (url: URL): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? isPublicAddress(host) : host !== 'localhost' && !host.endsWith('.localhost');
};
