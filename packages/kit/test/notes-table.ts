import { type CloudEvent, type DataOf, defineEvent } from '@shortlist/contracts/events/define';
import { text } from '@shortlist/contracts/schemas/validation';
import { createLog } from '../src/process/log.ts';
import { eventOf } from '../src/testing/event-of.ts';

/** An event without a meaning: kit has no product terms, so neither have its tests. */
export const noted = defineEvent('identity.Noted.v1', { summary: 'A note was written.', data: { text } });
export type Noted = DataOf<typeof noted>;

export const ID = '0198a0b0-0000-7000-8000-000000000001';
export const clock = (): Date => new Date();
export const silent = createLog('test', 'silent');

export const noteOf = (text: string, subject = ID) => ({ subject, data: { text }, clock });

export const noteEvent = (text: string, more: Partial<CloudEvent<Noted>> = {}): CloudEvent<Noted> =>
  eventOf(noted, ID, { text }, more);
