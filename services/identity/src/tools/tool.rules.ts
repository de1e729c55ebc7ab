// Allowed redirect URIs: an https URL of the app (for an extension, of its browser's vendor), or a port on the user's own machine (RFC 8252,
// 7.3). Everything else could belong to another party: other schemes, plain http, patterns and fragments.

const LOOPBACK = ['127.0.0.1', '[::1]'];
const THIS_MACHINE = [...LOOPBACK, 'localhost'];

/** Patterns that no redirect URI may contain, with the reason. */
const FOREIGN = [
  ['#', 'has a fragment'],
  ['*', 'is a pattern'],
  ['@', 'has a user name'],
] as const;

/** Why the redirect URI is refused; null if it is allowed. */
export const redirectProblem = (address: string): string | null => {
  const foreign = FOREIGN.find(([character]) => address.includes(character));
  if (foreign !== undefined) return foreign[1];
  const { protocol, hostname = '' } = URL.parse(address) ?? {};
  if (protocol === 'https:') return THIS_MACHINE.includes(hostname) ? 'is https on this machine' : null;
  if (protocol === 'http:' && LOOPBACK.includes(hostname)) return null;
  return 'is neither https nor http on 127.0.0.1 or [::1]';
};

const LOGO_BYTES_MAX = 24 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** Why the picture is refused; null if it is allowed. */
export const logoProblem = (file: Buffer): string | null => {
  if (!file.subarray(0, PNG.length).equals(PNG)) return 'is no PNG';
  return file.length > LOGO_BYTES_MAX ? `has more than ${LOGO_BYTES_MAX} bytes` : null;
};
