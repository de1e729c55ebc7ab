import Joi from 'joi';
import { NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts';
import { normalPassword, passwordLength } from '../password.rules.ts';

const lengthRule =
  (lengthsOf: (password: string) => number[]): Joi.CustomValidator<string> =>
  (password, helpers) => {
    const lengths = lengthsOf(password);
    if (lengths.every((length) => length < PASSWORD_MIN))
      return helpers.error('string.min', { limit: PASSWORD_MIN });
    if (lengths.every((length) => length > PASSWORD_MAX))
      return helpers.error('string.max', { limit: PASSWORD_MAX });
    return password;
  };

const password = (required: string, lengthsOf: (password: string) => number[]): Joi.StringSchema =>
  Joi.string()
    .custom(lengthRule(lengthsOf))
    .pattern(/[\0\p{Cs}]/u, { invert: true })
    .required()
    .messages({
      'any.required': required,
      'string.base': required,
      'string.empty': required,
      'string.min': 'Password must contain at least six characters',
      'string.max': `Password must contain at most ${PASSWORD_MAX} characters`,
      'string.pattern.invert.base': 'Please use visible characters only',
    });

/** A password that is chosen. It is passed on as given; identity hashes its normal form. */
export const newPassword = password('You need to write the password.', (text) => [passwordLength(text)]);

/** The password of a log-in. One that was chosen when lengths were counted in UTF-16 units of the given form is valid as well. */
export const loginPassword = password('Please provide your login Password', (text) => [
  text.length,
  passwordLength(text),
]);

/** Words that the new password must not equal, beside the e-mail address: the names of the user. */
export const passwordWords = Joi.array().items(Joi.string().allow('').max(NAME_MAX)).max(4);

/** A token of a mailed link: 256 bits as base64url. */
export const mailedToken = Joi.string()
  .pattern(/^[A-Za-z0-9_-]{43}$/)
  .required()
  .messages({ '*': 'This link is not complete' });

/** A code of a mail, in which spaces are ignored. */
export const mailedCode = Joi.string()
  .replace(/\s/g, '')
  .pattern(/^\d{6}$/)
  .required()
  .messages({ '*': 'Enter the six digits of the code' });

/** The repeated password. It is validated in the browser only, against the field `password`. */
export const passwordRepeatSchema = newPassword
  .normalize('NFKC')
  .empty('')
  .valid(
    Joi.ref('password', {
      adjust: (text: unknown) => (typeof text === 'string' ? normalPassword(text) : text),
    }),
  )
  .messages({
    'any.required': 'You need to re-write the password here',
    'string.base': 'You need to re-write the password here',
    'string.empty': 'You need to re-write the password here',
    'any.only': 'Passwords do not match',
  });
