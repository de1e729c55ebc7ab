import Joi from 'joi';
import { defineEvent } from './define.ts';

export type AccountViewed = { by: string; reason: string; sessionId: string };

const text = Joi.string().required();

export const accountViewed = defineEvent<AccountViewed>('identity.AccountViewed.v1', {
  summary: 'An admin began to view the product as this user, for a reason. The session may only read.',
  data: Joi.object<AccountViewed, true>({ by: text, reason: text, sessionId: text }),
});
