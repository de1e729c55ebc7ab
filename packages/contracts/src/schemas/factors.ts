import Joi from 'joi';
import { FACTOR_REASON_MAX, PASSKEY_NAME_MAX } from '../limits.ts';
import { ofText, ofType, type Typed } from './typed.ts';
import { line, oneMessage, typedCode } from './validation.ts';

type Credential<Response> = {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Response;
  clientExtensionResults: Record<never, never>;
  authenticatorAttachment?: 'platform' | 'cross-platform' | null;
};
/** What a browser returns when it has created a passkey, as JSON. identity verifies it. */
export type PasskeyRegistration = Credential<{
  clientDataJSON: string;
  attestationObject: string;
  transports?: string[];
  authenticatorData?: string;
  publicKey?: string;
  publicKeyAlgorithm?: number;
}>;
/** What a browser returns when a passkey has signed a challenge. */
export type PasskeyAssertion = Credential<{
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string | null;
}>;
export type PasskeyResponse = PasskeyRegistration | PasskeyAssertion;
/** A response with the challenge that it has to answer, on the pages of `origin`. */
export type PasskeyCeremony<Response extends PasskeyResponse = PasskeyAssertion> = {
  response: Response;
  challenge: string;
  origin: string;
};

/** The options of a WebAuthn ceremony, as the browser takes them. */
export type PasskeyOptions = Record<string, unknown>;

/** What a browser's WebAuthn takes, as it is. */
export const passkeyOptions = ofType<PasskeyOptions>(Joi.object().unknown().required());

const CODE = 'Please type the six digits of your authenticator app';
const RECOVERY_CODE = 'Please type one of your recovery codes';

/** A code of an authenticator app; apps show it in two groups. */
export const totpCode = typedCode(/^\d{6}$/).messages(oneMessage(CODE));

/** A recovery code, with or without its hyphen, in either case. */
export const recoveryCode = typedCode(/^[a-z0-9]{10}$/)
  .lowercase()
  .messages(oneMessage(RECOVERY_CODE));

export const passkeyName = line(
  { required: 'Please type a name for this passkey' },
  { max: PASSKEY_NAME_MAX },
);

export const factorReason = line({ required: 'Please give a reason' }, { max: FACTOR_REASON_MAX });

const base64url = (max: number) =>
  Joi.string()
    .max(max)
    .pattern(/^[A-Za-z0-9_-]+$/);

/** A credential id has at most 1,023 bytes. */
const credentialId = base64url(1_364).required();

/** The JSON that a browser has signed: a challenge, an origin, and what later versions of WebAuthn add. */
const clientDataJSON = base64url(2_000).required();

/** A passkey has no more ways to reach its device than browsers have names for. */
const transports = Joi.array()
  .items(Joi.string().pattern(/^[a-z-]{1,20}$/))
  .max(8);

/** The results of extensions, which nothing reads: they are checked for their number, and dropped. */
const extensionResults = Joi.object().pattern(Joi.string().max(64), Joi.any().strip()).max(16).required();

const credential = <Response>(
  response: Joi.PartialSchemaMap<Response>,
): Joi.ObjectSchema<Credential<Response>> =>
  Joi.object<Credential<Response>>({
    id: credentialId,
    rawId: credentialId,
    type: Joi.string().valid('public-key').required(),
    response: Joi.object(response).required(),
    clientExtensionResults: extensionResults,
    authenticatorAttachment: Joi.string().valid('platform', 'cross-platform').allow(null),
  }).required();

/** The bytes of a body with a registration, and of one with an assertion, of the largest fields that their schemas allow. */
export const REGISTRATION_BYTES = 15 * 1024;
export const ASSERTION_BYTES = 9 * 1024;

/** A new passkey. One with the largest id and key that are stored has 3 KB, an unasked-for certificate of its device some more. */
export const passkeyRegistration = ofType<PasskeyRegistration>(
  credential<PasskeyRegistration['response']>({
    clientDataJSON,
    attestationObject: base64url(6_000).required(),
    transports,
    authenticatorData: base64url(2_000),
    publicKey: base64url(1_400),
    publicKeyAlgorithm: Joi.number().integer(),
  }),
);

/** The signature of a passkey. That of the largest key that identity stores has 1,023 bytes; a user handle has 64. */
export const passkeyAssertion = ofType<PasskeyAssertion>(
  credential<PasskeyAssertion['response']>({
    clientDataJSON,
    authenticatorData: base64url(2_000).required(),
    signature: base64url(1_364).required(),
    userHandle: base64url(86).allow('', null),
  }),
);

export const challenge = ofText(base64url(64).required());
export const origin = ofText(
  Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .max(300)
    .required(),
);

const ceremony = <Response extends PasskeyResponse>(response: Typed<Response>) =>
  ofType<PasskeyCeremony<Response>>(Joi.object({ response, challenge, origin }).required());

export const registrationCeremony = ceremony(passkeyRegistration);
export const assertionCeremony = ceremony(passkeyAssertion);
