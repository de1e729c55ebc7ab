import type { Response } from 'express';
import type { Context } from '../context.ts';
import { type CardEntry, type Decline, digitsOf } from '../model/card.rules.ts';
import { randomText } from '../state.ts';
import { html, type Html, showPage } from './layout.ts';

export type CardValues = {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
};

export const EMPTY_VALUES: CardValues = { number: '', expiry: '', cvc: '', name: '' };

export const readCardValues = (body: unknown): CardValues => {
  const form = (body ?? {}) as Record<string, unknown>;
  const text = (name: string) => {
    const value = form[name];
    return typeof value === 'string' ? value.slice(0, 200) : '';
  };
  return { number: text('number'), expiry: text('expiry'), cvc: text('cvc'), name: text('name') };
};

/** Accepts `12 / 34`, `12/2034` and `1234` for December 2034. */
export const cardFromValues = (values: CardValues): CardEntry => {
  const match = /^(\d{1,2})\D*(\d{4}|\d{2})$/.exec(values.expiry.trim());
  const year = Number(match?.[2] ?? Number.NaN);
  return {
    number: digitsOf(values.number),
    expMonth: Number(match?.[1] ?? Number.NaN),
    expYear: year < 100 ? 2000 + year : year,
    cvc: values.cvc.trim(),
    name: values.name.trim() || null,
  };
};

type Field = {
  id: string;
  label: string;
  value: string;
  placeholder: string;
  autocomplete: string;
  error: string | null;
};

const field = ({ id, label, value, placeholder, autocomplete, error }: Field): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      value="${value}"
      placeholder="${placeholder}"
      autocomplete="${autocomplete}"
      ${id !== 'name' && html`inputmode="numeric"`}
      ${id !== 'name' && html`required`}
      ${error !== null && html`aria-invalid="true" aria-describedby="${id}-error"`}
    />
    ${error !== null && html`<p class="error" id="${id}-error">${error}</p>`}
  </div>`;

const FIELD_BY_PARAM: Record<string, string> = {
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc: 'cvc',
};

export const cardFields = (values: CardValues, problem: Decline | null): Html => {
  const invalidField = FIELD_BY_PARAM[problem?.param ?? ''] ?? null;
  const errorOf = (id: string) => (invalidField === id ? (problem?.message ?? null) : null);
  const number = {
    id: 'number',
    label: 'Card number',
    value: values.number,
    placeholder: '4242 4242 4242 4242',
    autocomplete: 'cc-number',
    error: errorOf('number'),
  };
  const expiry = {
    id: 'expiry',
    label: 'Expiry',
    value: values.expiry,
    placeholder: 'MM / YY',
    autocomplete: 'cc-exp',
    error: errorOf('expiry'),
  };
  const cvc = {
    id: 'cvc',
    label: 'CVC',
    value: values.cvc,
    placeholder: '123',
    autocomplete: 'cc-csc',
    error: errorOf('cvc'),
  };
  const name = {
    id: 'name',
    label: 'Name on card',
    value: values.name,
    placeholder: '',
    autocomplete: 'cc-name',
    error: null,
  };
  return html`${problem !== null && html`<p class="alert" role="alert">${problem.message}</p>`}
    ${field(number)}
    <div class="pair">${field(expiry)} ${field(cvc)}</div>
    ${field(name)}`;
};

export const TEST_CARDS = html`<details>
  <summary>Cards that work here</summary>
  <div class="scroll" tabindex="0">
    <table>
      <tbody>
        <tr>
          <td>4242 4242 4242 4242</td>
          <td class="text">pays</td>
        </tr>
        <tr>
          <td>4000 0000 0000 0002</td>
          <td class="text">is declined</td>
        </tr>
        <tr>
          <td>4000 0000 0000 9995</td>
          <td class="text">has insufficient funds</td>
        </tr>
        <tr>
          <td>4000 0000 0000 0069</td>
          <td class="text">has expired</td>
        </tr>
        <tr>
          <td>4000 0025 0000 3155</td>
          <td class="text">requires authentication</td>
        </tr>
        <tr>
          <td>4000 0000 0000 0341</td>
          <td class="text">pays now and fails at renewals</td>
        </tr>
      </tbody>
    </table>
  </div>
  <p class="caption">With any later expiry date and any three digits.</p>
</details>`;

type Authentication = {
  /** The URL that receives the form with the token and the outcome. */
  action: string;
  card: CardEntry;
};

/** Shows the card issuer's authentication step (3-D Secure) and remembers the card by the token in the form. */
export const showAuthentication = (
  context: Context,
  response: Response,
  { action, card }: Authentication,
): void => {
  const token = randomText(24);
  context.cardsAwaitingAuthentication.set(token, card);
  const body = html`<div class="panel">
    <h1>Authenticate your payment</h1>
    <p>The card issuer requires authentication of this payment.</p>
    <form method="post" action="${action}" class="row">
      <input type="hidden" name="token" value="${token}" />
      <button class="primary" name="outcome" value="complete">Complete authentication</button>
      <button name="outcome" value="fail">Fail authentication</button>
    </form>
  </div>`;
  showPage(response, { title: 'Authenticate your payment', body });
};
