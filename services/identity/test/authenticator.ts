import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@shortlist/contracts/api/factors';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** `framed`: what a browser adds to the client data in a frame. */
type Ceremony = { challenge: string; origin: string; framed?: object };
/** `key` and `attestedId` replace the authenticator's own in what it attests. */
type Registration = Ceremony & { key?: Uint8Array; attestedId?: Uint8Array };
type Assertion = Ceremony & { signCount?: number; isVerified?: boolean; userHandle?: string };

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');
const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const clientData = (type: string, { challenge, origin, framed }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...framed }));

const authenticatorData = (origin: string, flags: number, signCount: number): Buffer =>
  Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), uint32(signCount)]);

/** An RS256 key, as an authenticator writes it, with a modulus of this many bytes. */
export const rsaKey = (modulusBytes: number): Uint8Array =>
  isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 3],
      [3, -257],
      [-1, new Uint8Array(modulusBytes).fill(0xab)],
      [-2, new Uint8Array([1, 0, 1])],
    ]),
  );

/** A passkey of one account in software: it registers without attestation and signs with ES256. */
export const createAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (value: string) => new Uint8Array(Buffer.from(value, 'base64url'));
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  );
  const credentialId = randomBytes(32);
  const credential = <Response>(response: Response) => ({
    id: base64url(credentialId),
    rawId: base64url(credentialId),
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });
  return {
    register: ({
      key = coseKey,
      attestedId = credentialId,
      ...ceremony
    }: Registration): PasskeyRegistration => {
      const attested = Buffer.concat([Buffer.alloc(16), uint16(attestedId.length), attestedId]);
      const flags = USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL;
      const authData = Buffer.concat([authenticatorData(ceremony.origin, flags, 0), attested, key]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
        attestationObject: base64url(isoCBOR.encode(attestation as never)),
        transports: ['internal', 'hybrid'],
      });
    },
    assert: ({
      signCount = 0,
      isVerified = true,
      userHandle = '',
      ...ceremony
    }: Assertion): PasskeyAssertion => {
      const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0);
      const data = authenticatorData(ceremony.origin, flags, signCount);
      const json = clientData('webauthn.get', ceremony);
      return credential({
        clientDataJSON: base64url(json),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(json)]), privateKey)),
        userHandle: base64url(Buffer.from(userHandle)),
      });
    },
  };
};
