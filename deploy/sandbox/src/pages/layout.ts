import type { Response } from 'express';
import { html, type Html } from './html.ts';
import { style } from './style.ts';

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
