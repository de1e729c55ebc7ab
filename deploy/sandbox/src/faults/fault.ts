import Joi from 'joi';

/** How the next `times` matching requests fail. `reset` closes the connection after the work is done. */
export type Fault = {
  method: string | null;
  path: string;
  status: number | null;
  delayMs: number;
  reset: boolean;
  times: number;
};

export const faultSchema = Joi.object<Fault>({
  method: Joi.string().uppercase().valid('GET', 'POST', 'DELETE').allow(null).default(null),
  path: Joi.string().pattern(/^\//, 'path').default('/'),
  status: Joi.number().integer().min(400).max(599).allow(null).default(null),
  delayMs: Joi.number().integer().min(0).max(600_000).default(0),
  reset: Joi.boolean().default(false),
  times: Joi.number().integer().min(1).default(1),
});
