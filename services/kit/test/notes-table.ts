import { type CloudEvent, defineEvent } from '@shortlist/contracts/events/define';
import Joi from 'joi';
import { createLog } from '../src/process/log.ts';
import { eventOf } from '../src/testing/event-of.ts';

/** An event without a meaning: kit has no product terms, so neither have its tests. */
export type Noted = { text: string };
export const noted = defineEvent<Noted>('identity.Noted.v1', {
  summary: 'A note was written.',
  data: Joi.object<Noted, true>({ text: Joi.string().required() }),
});

export const ID = '0198a0b0-0000-7000-8000-000000000001';
export const clock = (): Date => new Date();
export const silent = createLog('test', 'silent');

export const noteOf = (text: string, subject = ID) => ({ subject, data: { text }, clock });

export const noteEvent = (text: string, more: Partial<CloudEvent<Noted>> = {}): CloudEvent<Noted> =>
  eventOf(noted, ID, { text }, more);
