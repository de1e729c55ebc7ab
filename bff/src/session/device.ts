/** The products that a User-Agent header names; '' where it names none that we know. Nothing else of the header is used. */
export type Device = { browser: string; system: string };

type Mark = readonly [mark: RegExp, name: string];

// The first match counts: most browsers name others too, for old servers.
const BROWSERS: readonly Mark[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly Mark[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const LONGEST_HEADER = 1_000;

const nameIn = (marks: readonly Mark[], text: string): string =>
  marks.find(([mark]) => mark.test(text))?.[1] ?? '';

export const deviceOf = (userAgent = ''): Device => {
  const text = userAgent.slice(0, LONGEST_HEADER);
  return { browser: nameIn(BROWSERS, text), system: nameIn(SYSTEMS, text) };
};
