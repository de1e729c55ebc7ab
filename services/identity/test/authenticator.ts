import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyResponse } from '@shortlist/contracts/schemas/factors';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

type Ceremony = { challenge: string; origin: string };
type Assertion = Ceremony & { signCount?: number; isVerified?: boolean; userHandle?: string };

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const clientData = (type: string, { challenge, origin }: Ceremony): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

const authenticatorData = (origin: string, flags: number, signCount: number): Buffer =>
  Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), uint32(signCount)]);

/** A passkey of one account in software: it registers without attestation and signs with ES256. */
export const createAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (value: string) => new Uint8Array(Buffer.from(value, 'base64url'));
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  );
  const credentialId = randomBytes(32);
  const credential = (response: Record<string, unknown>): PasskeyResponse => ({
    id: base64url(credentialId),
    rawId: base64url(credentialId),
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });
  return {
    register: (ceremony: Ceremony): PasskeyResponse => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId]);
      const flags = USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL;
      const authData = Buffer.concat([authenticatorData(ceremony.origin, flags, 0), attested, coseKey]);
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
    }: Assertion): PasskeyResponse => {
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
