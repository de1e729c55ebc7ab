/** The entry for the prefix of an id at Stripe, such as `in` of `in_1`; undefined for every other text. */
export const ofPrefix = <Value>(
  byPrefix: Readonly<Record<string, Value>>,
  reference: string,
): Value | undefined => {
  const prefix = /^[a-z]+(?=_)/.exec(reference)?.[0] ?? '';
  return Object.hasOwn(byPrefix, prefix) ? byPrefix[prefix] : undefined;
};

/** The number of an invoice as it may be stored: it is also searched in small letters. */
export const spellingsOf = (number: string): [string, string] => [number, number.toUpperCase()];
