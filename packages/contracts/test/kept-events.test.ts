import { expect, it } from 'vitest';
import { eventCatalogue } from '../src/events/catalogue.ts';
import { keptEvents } from './kept-events.ts';

const FOLDER = 'packages/contracts/fixtures/events';

it('there is a stored event of each type and version', () => {
  const declared = eventCatalogue.map(({ event: { type } }) => type).toSorted();
  const message = `${FOLDER} needs <type>.json of each declared event, copied from an outbox. Those of earlier versions stay for as long as the version is declared`;
  expect(keptEvents.map(({ type }) => type).toSorted(), message).toEqual(declared);
});

it.each(eventCatalogue.map(({ event }) => ({ ...event })))(
  'a stored $type is still valid',
  ({ type, schema }) => {
    const stored = keptEvents.find((event) => event.type === type);
    const { error, value } = schema.validate(stored?.data, { stripUnknown: true, convert: false });
    const message = `events of earlier releases are refused: declare a new version beside ${type}, or give a new field a default`;
    expect(error?.message, message).toBeUndefined();
    expect(value, `${message}, and keep the fields that it had`).toMatchObject(stored?.data ?? {});
  },
);
