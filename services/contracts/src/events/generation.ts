import Joi from 'joi';

/** The generation of an account that an event begins: older sessions end. Events that were published before the field existed end none. */
export const generation = Joi.number().integer().min(0).default(0);
