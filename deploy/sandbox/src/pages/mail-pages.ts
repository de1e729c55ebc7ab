import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import type { Mail } from '../mail/mail.ts';
import { html, type Html, showMessage, showPage, tableOf } from './layout.ts';

const addresses = (list: Mail['to']) =>
  list.map(({ name, email }) => (name ? `${name} <${email}>` : email)).join(', ');

export const showMails = (context: Context, _request: Request, response: Response): void => {
  const mails = [...context.state.mails.values()].reverse();
  const rows = mails.map(
    (mail) =>
      html`<tr>
        <td>${mail.at.slice(0, 16).replace('T', ' ')}</td>
        <td class="text">${addresses(mail.to)}</td>
        <td class="text"><a href="/mails/${mail.id}">${mail.subject || '(no subject)'}</a></td>
      </tr>`,
  );
  const table = tableOf(['Sent (UTC)', 'To', 'Subject'], rows);
  const body = html`<h1>Mails</h1>
    <p>All mails sent by the product. <a href="/">Back to the start</a></p>
    <div class="panel">${rows.length > 0 ? table : html`<p>No mail has been sent yet.</p>`}</div>`;
  showPage(response, { title: 'Mails', body });
};

const headerFields = (mail: Mail): [string, string][] => {
  const fields: [string, string][] = [
    ['From', addresses([mail.from])],
    ['To', addresses(mail.to)],
    ['Cc', addresses(mail.cc)],
    ['Bcc', addresses(mail.bcc)],
    ['Reply to', mail.replyTo ? addresses([mail.replyTo]) : ''],
    ['Sent', mail.at],
    ['Categories', mail.categories.join(', ')],
    ...Object.entries(mail.headers),
    ...Object.entries(mail.customArgs),
  ];
  return fields.filter(([, value]) => value !== '');
};

const htmlPart = (source: string): Html =>
  html`<section class="panel">
    <h2>HTML</h2>
    <iframe title="HTML part of the mail" sandbox="" srcdoc="${source}"></iframe>
  </section>`;

const textPart = (text: string): Html =>
  html`<section class="panel">
    <h2>Plain text</h2>
    <pre>${text}</pre>
  </section>`;

export const showMail = (context: Context, request: Request, response: Response): void => {
  const mail = context.state.mails.get(String(request.params.id));
  if (!mail) {
    response.status(404);
    showMessage(response, 'Not found', 'There is no such mail.');
    return;
  }
  const body = html`<p><a href="/mails">All mails</a></p>
    <h1>${mail.subject || '(no subject)'}</h1>
    <div class="panel">
      <dl>
        ${headerFields(mail).map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </div>
    ${mail.html !== null && htmlPart(mail.html)} ${mail.text !== null && textPart(mail.text)}`;
  showPage(response, { title: mail.subject || 'Mail', body });
};
