import type { Response } from 'express';
import type { Context } from '../context.ts';
import { randomText } from '../ids.ts';
import type { CardEntry } from '../model/card.rules.ts';
import { html } from './html.ts';
import { showPage } from './layout.ts';

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
