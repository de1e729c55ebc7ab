import Joi from 'joi';
import type { Coverage, PlanState } from '../plan.ts';
import { time } from './text.ts';

const coverage = Joi.object<Coverage, true>({
  key: Joi.string().required(),
  start: time,
  end: time,
  graceUntil: Joi.string().isoDate().allow(null).required(),
})
  .allow(null)
  .required();

/** The whole plan state, which every billing event contains. */
export const planStateSchema = Joi.object<PlanState, true>({
  version: Joi.number().integer().required(),
  paid: coverage,
  granted: coverage,
}).required();
