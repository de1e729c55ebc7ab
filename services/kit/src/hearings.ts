import type { Fact, FactType } from '@shortlist/contracts/events/define';
import type { Tx } from './db.ts';
import { handleOnce, type Once } from './inbox.ts';

type Effect = (tx: Tx, fact: Fact<never>) => Promise<void>;
/** `once` and `effect` are there where several facts may be heard in one transaction. */
export type Hearing = {
  fact: FactType<never>;
  hear: (fact: Fact<never>) => Promise<unknown>;
  together?: { once: Once; effect: Effect };
};
export type Hearings = readonly Hearing[];

/** A line of a service's table of what it hears, for an effect that may be repeated without harm. */
export const hear = <Data>(
  fact: FactType<Data>,
  effect: (fact: Fact<Data>) => Promise<unknown>,
): Hearing => ({
  fact: fact as unknown as FactType<never>, // the table holds hearings of different data; each schema is checked before its effect
  hear: effect,
});

/** A line for an effect on the database: written once, in one transaction with the fact's id. */
export const hearOnce =
  (once: Once) =>
  <Data>(fact: FactType<Data>, effect: (tx: Tx, fact: Fact<Data>) => Promise<void>): Hearing => ({
    ...hear(fact, (heard) => handleOnce(once, heard, effect)),
    together: { once, effect },
  });

/** Why a message can never be understood, however often it is tried. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Unreadable('not JSON', { cause });
  }
};

const isFact = (value: unknown): value is Fact<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'type' in value &&
  'subject' in value &&
  'data' in value;

export type Heard = { hearing: Hearing; fact: Fact<never> };

/** What a message says and who hears it; null when nobody here does. Throws when it can never be understood. */
export const readMessage = (hearings: Hearings, value: string): Heard | null => {
  const fact = parseJson(value);
  if (!isFact(fact)) throw new Unreadable('not a CloudEvent');
  const hearing = hearings.find((candidate) => candidate.fact.type === fact.type);
  if (hearing === undefined) return null;
  const result = hearing.fact.schema.validate(fact.data, { stripUnknown: true, convert: false });
  if (result.error) throw new Unreadable(result.error.message);
  return { hearing, fact: { ...fact, data: result.value } };
};
