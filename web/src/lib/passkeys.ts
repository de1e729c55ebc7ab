import type { PasskeyAssertion, PasskeyOptions, PasskeyRegistration } from '@shortlist/contracts/api/factors';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { clientError } from './api/api-error.ts';

export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** A prompt that was cancelled, timed out or found no passkey; browsers do not say which. */
const withPromptError = async <Credential>(prompt: () => Promise<unknown>): Promise<Credential> => {
  try {
    return (await prompt()) as Credential;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'InvalidStateError')
      throw clientError('client.passkey_known');
    throw clientError('client.passkey');
  }
};

/** Creates a passkey on this device or a phone. Throws an `ApiError` when the user cancels. */
export const createPasskey = (options: PasskeyOptions): Promise<PasskeyRegistration> =>
  withPromptError(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON });
  });

/** Signs a challenge with a passkey. Throws an `ApiError` when the user cancels. */
export const promptForPasskey = (options: PasskeyOptions): Promise<PasskeyAssertion> =>
  withPromptError(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON });
  });
