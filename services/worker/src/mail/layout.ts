// Writes an email as HTML and as text. The HTML is the compiled layout (layout.mjml) with the email's lines.
import { readFileSync } from 'node:fs';

/** A paragraph, a code on a separate line, or labelled facts, one per line. */
export type Line =
  string | { code: string } | { facts: readonly (readonly [label: string, value: string])[] };

type Content = {
  brand: string;
  subject: string;
  /** The text that a mail client shows after the subject in a list. */
  preheader: string;
  lines: readonly Line[];
  link: { label: string; url: string };
  /** What a person reads who did not ask for the mail, after the button for the others; '' for none. */
  footnote: string;
  /** Why the reader gets it, and the link that turns off emails of its kind; null for one that cannot be turned off. */
  turnOff: { why: string; label: string; url: string } | null;
};

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** Fills the placeholders of a template with HTML in one pass, so that a value that looks like a placeholder stays text. */
const fill = (template: string, values: Record<string, string>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

/** Splits a template at the start and end marks of a part. */
const splitAt = (template: string, name: string): [before: string, part: string, after: string] => {
  const [before, part, after, ...more] = template.split(`<!-- ${name} -->`);
  if (before === undefined || part === undefined || after === undefined || more.length > 0)
    throw new Error(`layout.html has not two marks of ${name}`);
  return [before, part, after];
};

const [HEAD, LINES, REST] = splitAt(readFileSync(new URL('layout.html', import.meta.url), 'utf8'), 'lines');
const [BUTTON, FOOTNOTE, AFTER_FOOTNOTE] = splitAt(REST, 'footnote');
const [BEFORE_TURN_OFF, TURN_OFF, FOOT] = splitAt(AFTER_FOOTNOTE, 'turn-off');
const [, PARAGRAPH] = splitAt(LINES, 'paragraph');
const [, CODE] = splitAt(LINES, 'code');
const [FACTS_HEAD, FACT, FACTS_FOOT] = splitAt(splitAt(LINES, 'facts')[1], 'fact');

/** Zero-width characters that fill the rest of the preview, so that the greeting does not follow in it. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60);

const lineHtml = (line: Line): string => {
  if (typeof line === 'string') return fill(PARAGRAPH, { text: escapeHtml(line) });
  if ('code' in line) return fill(CODE, { code: escapeHtml(line.code) });
  const rows = line.facts.map(([label, value]) =>
    fill(FACT, { label: escapeHtml(label), value: escapeHtml(value) }),
  );
  return [FACTS_HEAD, ...rows, FACTS_FOOT].join('');
};

export const toHtml = ({ brand, subject, preheader, lines, link, footnote, turnOff }: Content): string => {
  const values = {
    brand: escapeHtml(brand),
    subject: escapeHtml(subject),
    preheader: `${escapeHtml(preheader)}${FILLER}`,
    label: escapeHtml(link.label),
    url: escapeHtml(link.url),
    footnote: escapeHtml(footnote),
    why: escapeHtml(turnOff?.why ?? ''),
    turnOffLabel: escapeHtml(turnOff?.label ?? ''),
    turnOffUrl: escapeHtml(turnOff?.url ?? ''),
  };
  const end = [
    BUTTON,
    footnote === '' ? '' : FOOTNOTE,
    BEFORE_TURN_OFF,
    turnOff === null ? '' : TURN_OFF,
    FOOT,
  ];
  return [fill(HEAD, values), ...lines.map(lineHtml), fill(end.join(''), values)].join('');
};

const lineText = (line: Line): string => {
  if (typeof line === 'string') return line;
  if ('code' in line) return line.code;
  return line.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
};

export const toText = ({ brand, lines, link, footnote, turnOff }: Content): string =>
  [
    ...lines.map(lineText),
    `${link.label}: ${link.url}`,
    footnote,
    turnOff === null ? '' : `${turnOff.why}\n${turnOff.label}: ${turnOff.url}`,
    `${brand}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
