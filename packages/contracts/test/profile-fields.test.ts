import type Joi from 'joi';
import { describe, expect, it } from 'vitest';
import { userRegistered } from '../src/events/identity.ts';
import { OPTION_LISTS } from '../src/option-lists.ts';
import { profileFields } from '../src/profile-fields.ts';
import {
  adminProfileSchema,
  adminSignupSchema,
  profileSchema,
  signupSchema,
} from '../src/schemas/account.ts';

const keysOf = (schema: Joi.ObjectSchema): string[] =>
  Object.keys((schema.describe() as { keys: object }).keys).toSorted();

const names = (list: typeof profileFields, ...others: string[]): string[] =>
  [...list.map(({ name }) => name), ...others].toSorted();
const userFields = profileFields.filter(({ adminOnly }) => !adminOnly);

/** What only a change has, in addition to the fields. */
const CHANGE = ['password', 'currentPassword', 'version', 'removePicture'];

describe('the list of profile fields', () => {
  it('has exactly the fields of the sign-up and the profile, for users and for admins', () => {
    expect(keysOf(signupSchema)).toEqual(names(userFields, 'email', 'password'));
    expect(keysOf(profileSchema)).toEqual(names(userFields, ...CHANGE));
    expect(keysOf(adminSignupSchema)).toEqual(names(profileFields, 'email', 'password'));
    expect(keysOf(adminProfileSchema)).toEqual(names(profileFields, ...CHANGE));
  });

  it('has exactly the fields of UserRegistered', () => {
    expect(keysOf(userRegistered.schema)).toEqual(names(profileFields, 'createdAt', 'email', 'picture'));
  });

  it('has optional fields that older events may lack', () => {
    const required = profileFields.filter(({ optional }) => !optional);
    const data = {
      ...Object.fromEntries(required.map(({ name }) => [name, 'x'])),
      email: 'ana@talent.test',
      picture: null,
      createdAt: '2026-03-01T12:00:00.000Z',
    };
    const optional = userFields.filter((field) => field.optional);
    const defaults = Object.fromEntries(optional.map(({ name }) => [name, '']));
    expect(userRegistered.schema.validate(data)).toEqual({ value: { ...data, ...defaults } });
  });

  it('states a length that fits every choice', () => {
    for (const field of profileFields)
      for (const choice of field.options ? OPTION_LISTS[field.options] : [])
        expect(choice.length, choice).toBeLessThanOrEqual(field.max);
  });
});
