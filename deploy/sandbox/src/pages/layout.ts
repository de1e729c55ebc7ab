import type { Response } from 'express';

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

const style = `
:root { color-scheme: light; --page: #f9f8f6; --surface: #fff; --sunken: #f4f3f0; --line: #e1dfdb;
  --line-strong: #969188; --ink: #192024; --ink-2: #4d575c; --ink-3: #646e73; --accent: #10655a;
  --accent-ink: #0f574d; --accent-soft: #eaf5f4; --on-accent: #fff; --good: #196b42; --warn: #8d4e07;
  --bad: #b22e24; --bad-soft: #fdeeec; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --page: #121517; --surface: #181d20;
  --sunken: #1f2528; --line: #2e3538; --line-strong: #6d787e; --ink: #f0eeea; --ink-2: #b7bec2; --ink-3: #97a0a5;
  --accent: #72cbbf; --accent-ink: #8ed7cd; --accent-soft: #1c302e; --on-accent: #0e161b; --good: #72ca9b;
  --warn: #edbc5a; --bad: #f4887c; --bad-soft: #311e1c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink-2); font: 15px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin-inline: auto; padding: 32px 16px 48px; }
.note { background: var(--sunken); border-block-end: 1px solid var(--line); color: var(--ink-2); font-size: 13px;
  padding: 8px 16px; text-align: center; }
h1 { color: var(--ink); font-size: 26px; font-weight: 650; line-height: 1.2; margin: 0 0 6px; }
h2 { color: var(--ink); font-size: 16px; font-weight: 600; margin: 0 0 12px; }
p { margin: 0 0 12px; }
a { color: var(--accent-ink); }
.caption { color: var(--ink-3); font-size: 13px; }
.split { display: grid; gap: 16px; align-items: start; margin-block-start: 24px; }
@media (min-width: 769px) { .split { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); } }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 24px;
  margin-block-end: 16px; }
@media (max-width: 480px) { .panel { padding: 16px; } }
.big { color: var(--ink); font-size: 32px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.2; }
label { color: var(--ink); display: block; font-size: 14px; font-weight: 550; margin-block-end: 4px; }
input { background: var(--surface); border: 1px solid var(--line-strong); border-radius: 8px; color: var(--ink);
  font: inherit; min-height: 40px; padding: 6px 12px; width: 100%; }
input[readonly] { background: var(--sunken); }
input[aria-invalid=true] { border-color: var(--bad); }
.field { margin-block-end: 18px; }
.pair { display: grid; gap: 16px; grid-template-columns: 1fr 1fr; }
.error { color: var(--bad); font-size: 13px; margin: 4px 0 0; }
.alert { background: var(--bad-soft); border: 1px solid var(--bad); border-radius: 8px; color: var(--ink);
  margin-block-end: 18px; padding: 12px 16px; }
button, .button { background: var(--surface); border: 1px solid var(--line-strong); border-radius: 8px;
  color: var(--ink); cursor: pointer; display: inline-block; font: inherit; font-weight: 550; min-height: 40px;
  padding: 7px 16px; text-decoration: none; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.danger { border-color: var(--bad); color: var(--bad); }
.wide { width: 100%; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
dl { display: grid; gap: 8px 24px; grid-template-columns: auto minmax(0, 1fr); margin: 0 0 16px; }
dt { color: var(--ink-3); } dd { color: var(--ink); margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { color: var(--ink-3); font-size: 13px; font-weight: 550; text-align: start; }
th, td { border-block-end: 1px solid var(--line); padding: 10px 12px 10px 0; white-space: nowrap; }
td.text { min-width: 12rem; white-space: normal; }
iframe { background: #fff; border: 1px solid var(--line); border-radius: 8px; height: 32rem; width: 100%; }
pre { background: var(--sunken); border-radius: 8px; color: var(--ink); overflow-x: auto; padding: 12px;
  white-space: pre-wrap; }
.paid { color: var(--good); } .open, .past_due { color: var(--warn); } .canceled { color: var(--bad); }
`;

type Page = {
  title: string;
  body: Html;
  status?: number;
};

export const showPage = (response: Response, { title, body, status = 200 }: Page): void => {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <header class="note">This is the local sandbox. No real money moves and no mail leaves it.</header>
        <main>${body}</main>
      </body>
    </html>`;
  response
    .status(status)
    .set({
      // No form-action: browsers also apply it to the redirect back to the product.
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    .type('text/html')
    .send(page.markup);
};

/** A table that scrolls by itself in a narrow window. */
export const tableOf = (heads: string[], rows: Html[]): Html =>
  html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

export const showMessage = (response: Response, title: string, text: string): void => {
  const body = html`<h1>${title}</h1>
    <p>${text}</p>`;
  showPage(response, { title, body });
};

export const formatDate = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-US', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
