import { messages } from '@shortlist/contracts/messages';

export const consentText = messages({
  agree: 'I agree to the <terms>Terms of Service</terms> and the <privacy>Privacy Policy</privacy>.',
  required: 'Please accept the terms to sign up.',
});
