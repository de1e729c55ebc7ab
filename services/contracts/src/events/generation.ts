import Joi from 'joi';

/** The generation of an account that an event begins: older sessions end. Events that were published before the field existed end none. */
export const generation = Joi.number().integer().min(0).default(0);

/** The session that made the change, which stays; '' for none. It names the session and gives no access. */
export const keptSessionId = Joi.string().allow('').default('');
