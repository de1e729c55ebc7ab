export type Html = {
  readonly markup: string;
};

type Part = string | number | null | undefined | false | Html | readonly Html[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'object') {
    return 'markup' in part ? part.markup : part.map((one) => one.markup).join('');
  }
  return escapeHtml(String(part));
};

/** Markup in which every value is escaped, unless it is itself made by this function. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: texts.reduce((whole, text, place) => whole + render(parts[place - 1]) + text),
});

/** A link out of the sandbox is followed only over the web; anything else could run in our own page. */
export const httpUrl = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) ? address : null;
