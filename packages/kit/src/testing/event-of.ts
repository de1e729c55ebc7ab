import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { uuidv7 } from 'uuidv7';

/** An event as the outbox writes it, for tests that publish or handle one; `more` overrides properties. */
export const eventOf = <Data>(
  type: EventType<Data>,
  subject: string,
  data: Data,
  more: Partial<CloudEvent<Data>> = {},
): CloudEvent<Data> => ({
  specversion: '1.0',
  id: uuidv7(),
  source: `/${type.emitter}`,
  type: type.type,
  subject,
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  traceparent: '',
  data,
  ...more,
});
