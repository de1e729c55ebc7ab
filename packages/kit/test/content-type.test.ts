import { describe, expect, it } from 'vitest';
import { assertUtf8, encodingOf, isOtherThanUtf8, mediaTypeOf } from '../src/http/content-type.ts';

const typed = (type?: string) => ({ headers: type === undefined ? {} : { 'content-type': type } });

describe('the type of a body', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON', 'application/json'],
    ['  text/plain ;charset=x', 'text/plain'],
    ['multipart/form-data; boundary="a;b=c"', 'multipart/form-data'],
    ['application/json;', 'application/json'],
    ['application/jsonx', 'application/jsonx'],
    ['application/json, text/plain', null],
    ['json', null],
    ['', null],
    [undefined, null],
  ])('%j is %j', (header, type) => {
    expect(mediaTypeOf(typed(header))).toBe(type);
  });
});

// https://encoding.spec.whatwg.org/#names-and-labels
describe('the encoding of a label', () => {
  it.each([
    ['utf-8', 'utf-8'],
    ['utf8', 'utf-8'],
    ['UTF8', 'utf-8'],
    [' Utf-8\t', 'utf-8'],
    ['unicode-1-1-utf-8', 'utf-8'],
    ['unicode11utf8', 'utf-8'],
    ['unicode20utf8', 'utf-8'],
    ['x-unicode20utf8', 'utf-8'],
    ['latin1', 'windows-1252'],
    ['iso-8859-1', 'windows-1252'],
    ['ISO_8859-1', 'windows-1252'],
    ['ascii', 'windows-1252'],
    ['us-ascii', 'windows-1252'],
    ['cp1252', 'windows-1252'],
    ['utf-16', 'utf-16le'],
    ['ucs-2', 'utf-16le'],
    ['utf-16be', 'utf-16be'],
    ['sjis', 'shift_jis'],
    ['utf-7', null],
    ['utf-32', null],
    ['utf_8', null],
    ['\u00a0utf-8', null],
    ['', null],
  ])('%j is %j', (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding);
  });
});

describe('a body', () => {
  it.each([
    undefined,
    '',
    'application/json',
    'application/json; charset',
    'application/json;charset=utf8',
    'application/json; charset="UTF-8"',
    'application/json; charset=" utf-8 "',
    'application/json; CHARSET = "utf\\-8"',
    'text/plain; format=flowed; charset=unicode-1-1-utf-8',
    'multipart/form-data; boundary="charset=latin1"',
  ])('of the type %j is UTF-8', (type) => {
    expect(isOtherThanUtf8(typed(type))).toBe(false);
    expect(() => assertUtf8(typed(type))).not.toThrow();
  });

  it.each([
    'application/json;charset=latin1',
    'application/json; charset = ascii',
    'application/json; charset="iso-8859-1"',
    'application/json; charset=utf-16',
    'application/json; charset=utf-7',
    'application/json; charset=""',
    'application/json; charset=latin1; charset=utf-8',
  ])('of the type %j is not, and refused', (type) => {
    expect(isOtherThanUtf8(typed(type))).toBe(true);
    expect(() => assertUtf8(typed(type))).toThrow(
      expect.objectContaining({ code: 'request.unsupported_charset' }),
    );
  });
});
