import { IntlMessageFormat } from 'intl-messageformat';

export const LOCALE = 'en-US';

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;

type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
  ? Head
  : Text;

type Name<Text extends string> = Text extends '' | `${string}${' ' | '{' | '#'}${string}` ? never : Text;

/** The names of a message's values: `credits` and `day` of '{credits, number} left on {day}'. */
export type ValueName<Text extends string> = Text extends `${string}{${infer Body}`
  ? Name<Trim<Before<Before<Body, '}'>, ','>>> | ValueName<Body>
  : never;

type Values<Text extends string> = Record<ValueName<Text>, string | number>;

type Texts = Readonly<Record<string, string>>;

/** A value of a rich message: a node, or the node that a tag such as <strong> becomes. */
export type RichValue<Node> = string | number | Node | ((content: (string | Node)[]) => Node);

export type Catalogue<Entries extends Texts> = {
  /** Returns the message with its values in place. Numbers are formatted where the message says so. */
  <Key extends keyof Entries & string>(
    key: Key,
    ...values: [ValueName<Entries[Key]>] extends [never] ? [] : [Values<Entries[Key]>]
  ): string;
  /** Returns the parts of a message whose values or tags are nodes of a user interface. */
  rich: <Node>(
    key: keyof Entries & string,
    values: Record<string, RichValue<Node>>,
  ) => (string | number | Node)[];
  entries: Entries;
};

/**
 * Creates the catalogue of one area from its texts, in the syntax of ICU MessageFormat:
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/. A message is parsed when it is first used; one without values
 * never is. A plural form needs a space or a `#` beside its braces: the types take `{word}` for a value.
 */
export const messages = <const Entries extends Texts>(entries: Entries): Catalogue<Entries> => {
  const parsed = new Map<string, IntlMessageFormat>();
  const formatOf = (key: keyof Entries & string, ignoreTag: boolean): IntlMessageFormat => {
    const id = ignoreTag ? key : `<${key}>`;
    const format =
      parsed.get(id) ?? new IntlMessageFormat(entries[key] ?? key, LOCALE, undefined, { ignoreTag });
    parsed.set(id, format);
    return format;
  };
  const text = (key: keyof Entries & string, values?: Record<string, string | number>): string =>
    values === undefined ? (entries[key] ?? key) : String(formatOf(key, true).format(values));
  const rich = <Node>(key: keyof Entries & string, values: Record<string, RichValue<Node>>) => {
    const parts = formatOf(key, false).format<Node>(values);
    return (Array.isArray(parts) ? parts : [parts]) as (string | number | Node)[];
  };
  return Object.assign(text, { rich, entries });
};

/** A user's name, as screens, emails, Stripe and the audit log show it. */
export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;

// Amounts are whole numbers of the payment provider's minor unit: 5900 is $59.00, but ¥5,900. The provider defines how many decimals that
// unit has, which for some currencies differs from the usual display: 5900 is HUF 59, shown without decimals. Source:
// https://docs.stripe.com/currencies#minor-units

const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

const decimalsOf = (code: string): number => {
  if (WITHOUT_DECIMALS.has(code)) return 0;
  return WITH_THREE_DECIMALS.has(code) ? 3 : 2;
};

export type MoneyStyle = {
  /** `short` leaves out decimals that are zero: $59; `compact` is for the axis of a chart: $2.4K. */
  style?: 'full' | 'short' | 'compact';
};

const formats = new Map<string, Intl.NumberFormat>();

/** The one format with these options: creating it costs more than formatting. */
const formatWith = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(LOCALE, options);
  formats.set(key, format);
  return format;
};

/** An amount in minor units as a number of whole units: 5950 is 59.5. For texts, `formatMoney` has the customary decimals. */
export const inWholeUnits = ({ amount, currency }: { amount: number; currency: string }): number =>
  amount / 10 ** decimalsOf(currency.toUpperCase());

/** The minor units of an amount that a person types in whole units: '59.5' is 5950. Null for other text, and for decimals that the currency lacks. */
export const inMinorUnits = (text: string, currency: string): number | null => {
  const decimals = decimalsOf(currency.toUpperCase());
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === '' || fraction.length > decimals) return null;
  return Number(whole + fraction.padEnd(decimals, '0'));
};

/** Formats an amount in minor units in the currency with this ISO code (upper or lower case): 5900 is $59.00. Nothing is rounded. */
export const formatMoney = (
  { amount, currency }: { amount: number; currency: string },
  { style = 'full' }: MoneyStyle = {},
): string => {
  const code = currency.toUpperCase();
  const decimals = decimalsOf(code);
  const value = inWholeUnits({ amount, currency });
  const base = { style: 'currency', currency: code } as const;
  if (style === 'compact')
    return formatWith({ ...base, notation: 'compact', maximumFractionDigits: 1 }).format(value);
  const isWhole = Number.isInteger(value);
  const customary = formatWith(base).resolvedOptions().maximumFractionDigits ?? decimals;
  const least = style === 'short' ? 0 : Math.min(customary, decimals);
  const digits = isWhole ? least : decimals;
  return formatWith({ ...base, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
};
