import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type Sealed = { secret: string; keyId: string };

export type FactorKeys = {
  /** The first key. */
  id: string;
  /** Encrypts with the first key. The account id is authenticated too, so that a secret does not decrypt in another account's row. */
  seal: (accountId: string, plain: Uint8Array) => Sealed;
  open: (accountId: string, sealed: Sealed) => Uint8Array;
  /** Encrypts with the first key what another one has encrypted. */
  reseal: (accountId: string, sealed: Sealed) => Sealed;
  /** The hashes of a recovery code under each key, in order. */
  hashesOf: (accountId: string, code: string) => [string, ...string[]];
};

const derive = (key: string, label: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', label, 32));

const createKey = (key: string) => ({
  id: createHash('sha256').update(`id ${key}`).digest('hex').slice(0, 16),
  encryption: derive(key, 'totp secrets'),
  codes: derive(key, 'recovery codes'),
});

type Key = ReturnType<typeof createKey>;

const sealWith = ({ id, encryption }: Key, accountId: string, plain: Uint8Array): Sealed => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, encryption, iv).setAAD(Buffer.from(accountId));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { secret: Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url'), keyId: id };
};

const openWith = ({ encryption }: Key, accountId: string, secret: string): Uint8Array => {
  const bytes = Buffer.from(secret, 'base64url');
  const decipher = createDecipheriv(CIPHER, encryption, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(accountId));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
};

/** The keys of FACTOR_KEY. The first one encrypts and hashes; older ones only decrypt and verify. */
export const createFactorKeys = (secrets: readonly string[]): FactorKeys => {
  const [first, ...older] = secrets.map(createKey);
  if (first === undefined) throw new TypeError('no factor key');
  const keys = [first, ...older];
  const hash = ({ codes }: Key, accountId: string, code: string): string =>
    createHmac('sha256', codes).update(`${accountId} ${code}`).digest('base64url');
  const seal: FactorKeys['seal'] = (accountId, plain) => sealWith(first, accountId, plain);
  const open: FactorKeys['open'] = (accountId, { secret, keyId }) => {
    const key = keys.find(({ id }) => id === keyId);
    if (key === undefined) throw new Error(`FACTOR_KEY lacks the key ${keyId}`);
    return openWith(key, accountId, secret);
  };
  return {
    id: first.id,
    seal,
    open,
    reseal: (accountId, sealed) => seal(accountId, open(accountId, sealed)),
    hashesOf: (accountId, code) => [
      hash(first, accountId, code),
      ...older.map((key) => hash(key, accountId, code)),
    ],
  };
};
