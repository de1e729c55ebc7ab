import { days, inSeconds, minutes } from '@shortlist/contracts/durations';

/** What differs from run to run although Stripe behaves the same. */
const VARYING = new Set([
  'authorization_code',
  'exp_month',
  'exp_year',
  'fingerprint',
  'invoice_prefix',
  'network_transaction_id',
  'number',
  'receipt_number',
  'reference',
  'risk_score',
  'test_clock',
]);
const SECRET = new Set(['client_secret', 'idempotency_key', 'secret']);

/** An id of Stripe's, such as in_1Abc…, cs_test_a1Bc…: after its kind at least eight characters, one of them not a small letter. */
const ID = /\b([a-z]+(?:_[a-z]+)*?)_((?=[A-Za-z0-9]*[A-Z0-9])[A-Za-z0-9]{8,})\b/g;
const URL_IN_TEXT = /https?:\/\/[^\s"'`)]+/g;
const FORM_TIME = /^\d{10}$/;
const [EARLIEST, LATEST] = [1_200_000_000, 5_000_000_000];

const DAY = inSeconds(days(1));
/** A real account takes seconds for what the sandbox does at once. */
const STEP = inSeconds(minutes(5));

/** The offset in whole days and the seconds beyond them, to five minutes. */
const offsetOf = (seconds: number): string => {
  const rounded = Math.round(seconds / STEP) * STEP;
  const whole = Math.trunc(rounded / DAY);
  const rest = rounded - whole * DAY;
  return `${whole}d${rest === 0 ? '' : ` ${rest}s`}`;
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value > EARLIEST && value < LATEST;

const hiddenAs = (key: string, value: unknown): string | undefined => {
  if (VARYING.has(key)) return '<varies>';
  return SECRET.has(key) && value !== null ? '<secret>' : undefined;
};

/** Returns a function that makes ids, times, urls and secrets neutral: the first customer becomes cus_1. */
export const createNeutral = (startedAt: number) => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (id: string, kind: string): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(id, `${kind}_${count}`);
    return `${kind}_${count}`;
  };
  const text = (value: string): string =>
    FORM_TIME.test(value)
      ? offsetOf(Number(value) - startedAt)
      : value.replaceAll(URL_IN_TEXT, '<url>').replaceAll(ID, nameOf);
  const neutral = (value: unknown, key = ''): unknown => {
    const hidden = hiddenAs(key, value);
    if (hidden !== undefined) return hidden;
    if (typeof value === 'string') return text(value);
    if (isTime(value)) return offsetOf(value - startedAt);
    if (Array.isArray(value)) return value.map((item) => neutral(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [text(name), neutral(part, name)]));
  };
  return {
    neutral,
    /** Whether an object of this id was in what was made neutral so far. */
    isKnown: (id: string | undefined): boolean => id !== undefined && names.has(id),
  };
};
