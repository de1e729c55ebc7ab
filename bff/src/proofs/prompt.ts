import type { PasskeyOptions } from '@shortlist/contracts/api/factors';

type Prompt = {
  challenge: string;
  rpId: string;
  /** The passkeys that the browser may offer; without them, the user chooses one of the site's. */
  credentials?: { id: string; transports: string[] }[];
};

const TIMEOUT_MS = 2 * 60_000;

/** The options of a passkey prompt. Without a password before it, the authenticator has to verify its user. */
export const promptOptions = ({ challenge, rpId, credentials }: Prompt): PasskeyOptions => ({
  challenge,
  rpId,
  timeout: TIMEOUT_MS,
  userVerification: credentials === undefined ? 'required' : 'preferred',
  allowCredentials: (credentials ?? []).map((credential) => ({ ...credential, type: 'public-key' })),
});
