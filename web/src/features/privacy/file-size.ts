import { LOCALE } from '@shortlist/contracts/messages';

const formatOf = (unit: 'kilobyte' | 'megabyte', digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(LOCALE, { style: 'unit', unit, maximumFractionDigits: digits });
const KILOBYTES = formatOf('kilobyte', 0);
const MEGABYTES = formatOf('megabyte', 1);

/** 4.8 MB, or 12 kB for a small file. */
export const fileSize = (bytes: number): string =>
  bytes < 1_000_000 ? KILOBYTES.format(Math.max(1, bytes / 1_000)) : MEGABYTES.format(bytes / 1_000_000);
