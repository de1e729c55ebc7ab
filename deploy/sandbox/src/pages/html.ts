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

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'object') {
    return 'markup' in part ? part.markup : part.map((item) => item.markup).join('');
  }
  return escapeHtml(String(part));
};

/** Tagged template that escapes every value except markup made by this function. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.reduce((whole, text, index) => whole + render(parts[index - 1]) + text),
});

/** Returns the URL when it is HTTP(S), else null: a `javascript:` link would run in the sandbox's page. */
export const httpUrl = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) ? address : null;
