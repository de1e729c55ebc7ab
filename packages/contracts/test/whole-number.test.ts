import Joi from 'joi';
import { describe, expect, it } from 'vitest';
import { auditSearch } from '../src/api/audit.ts';
import { validate, wholeNumber } from '../src/schemas/validation.ts';

const schema = Joi.object({ number: wholeNumber.min(1).max(200) });

describe('a whole number', () => {
  it.each([
    ['5', 5],
    ['0050', 50],
    [200, 200],
  ])('is read from %j', (number, value) =>
    expect(validate(schema, { number })).toEqual({ value: { number: value }, fields: null }),
  );

  it.each(['1e2', '+5', '5.0', ' 5', '5 ', '-1', '', '٥', 1.5])('is not read from %j', (number) =>
    expect(validate(schema, { number }).value).toBeNull(),
  );

  it('limits a page of the audit log', () => {
    expect(validate(Joi.object(auditSearch), { limit: '100' }).fields).toBeNull();
    expect(validate(Joi.object(auditSearch), { limit: '1e2' }).fields).toEqual({
      limit: 'Must be a whole number, in digits only',
    });
  });
});
