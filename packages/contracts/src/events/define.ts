import Joi from 'joi';
import type { Members, TypeOf } from '../schemas/validation.ts';

export type Emitter = 'identity' | 'profile' | 'billing' | 'credits';

/** `type` is the CloudEvents type; subject and message key are a user id. Consumers drop fields of `data` that `schema` does not name. */
export type EventType<Data> = {
  type: string;
  topic: string;
  emitter: Emitter;
  summary: string;
  schema: Joi.ObjectSchema<Data>;
};

export type DataOf<Event> = Event extends EventType<infer Data> ? Data : never;

export type CloudEvent<Data> = {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  traceparent: string;
  data: Data;
};

export const topicOf = (emitter: Emitter): string => `${emitter}.events`;

/** Declares an event. `name` is in the past tense; a changed meaning is a new version, never an edit. */
export const defineEvent = <const Rules extends Members>(
  name: `${Emitter}.${string}.v${number}`,
  { summary, data }: { summary: string; data: Rules },
): EventType<TypeOf<Rules>> => {
  const emitter = name.slice(0, name.indexOf('.')) as Emitter;
  return { type: name, topic: topicOf(emitter), emitter, summary, schema: Joi.object(data as Joi.SchemaMap) };
};
