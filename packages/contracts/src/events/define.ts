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

/** The topic of a service's events, except of those that name another one. */
export const topicOf = (emitter: Emitter): string => `${emitter}.events`;

/**
 * Declares an event. `name` is in the past tense; a changed meaning is a new version, never an edit. `topic`: one of its own, for frequent
 * events that most consumers of its service's topic would read in vain.
 */
export const defineEvent = <const Rules extends Members>(
  name: `${Emitter}.${string}.v${number}`,
  { summary, data, topic }: { summary: string; data: Rules; topic?: string },
): EventType<TypeOf<Rules>> => {
  const emitter = name.slice(0, name.indexOf('.')) as Emitter;
  const names = { type: name, topic: topic ?? topicOf(emitter), emitter };
  return { ...names, summary, schema: Joi.object(data as Joi.SchemaMap) };
};
