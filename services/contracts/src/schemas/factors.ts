import Joi from 'joi';
import { FACTOR_REASON_MAX, PASSKEY_NAME_MAX } from '../limits.ts';
import { line } from './text.ts';

/** What a browser returns from a WebAuthn ceremony, as JSON. identity verifies it. */
export type PasskeyResponse = {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Record<string, unknown>;
  clientExtensionResults: Record<string, unknown>;
  authenticatorAttachment?: string | null;
};
/** A response with the challenge that it has to answer, on the pages of `origin`. */
export type PasskeyCeremony = { response: PasskeyResponse; challenge: string; origin: string };

const CODE = 'Please type the six digits of your authenticator app';
const RECOVERY_CODE = 'Please type one of your recovery codes';

/** A code of an authenticator app; apps show it in two groups. */
export const totpCode = Joi.string()
  .replace(/\s/g, '')
  .pattern(/^\d{6}$/)
  .required()
  .messages({ '*': CODE });

/** A recovery code, with or without its hyphen, in either case. */
export const recoveryCode = Joi.string()
  .lowercase()
  .replace(/[\s-]/g, '')
  .pattern(/^[a-z0-9]{10}$/)
  .required()
  .messages({ '*': RECOVERY_CODE });

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

/** The response of a browser to a WebAuthn ceremony. Its signatures and flags are verified by identity. */
export const passkeyResponse = Joi.object<PasskeyResponse, true>({
  id: credentialId,
  rawId: credentialId,
  type: Joi.string().valid('public-key').required(),
  response: Joi.object({ clientDataJSON: base64url(8_000).required() })
    .unknown()
    .required(),
  clientExtensionResults: Joi.object().unknown().required(),
  authenticatorAttachment: Joi.string().max(40).allow(null),
}).required();

export const challenge = base64url(64).required();
export const origin = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .required();

export const passkeyCeremony = Joi.object<PasskeyCeremony, true>({
  response: passkeyResponse,
  challenge,
  origin,
}).required();
