import { messages } from '@shortlist/contracts/messages';

/** What keeps a payment from going through, and what to do next. */
export const problemTexts = messages({
  past_due: 'We could not collect your renewal payment.',
  authentication: 'Your bank needs you to confirm your payment.',
  processing: 'Your bank is still confirming your payment.',
  incomplete: 'Your first payment did not go through.',
  paused: 'Your subscription is paused.',

  past_due_next: 'Pay the open invoice to get your plan back. There is no need to subscribe again.',
  authentication_next: 'Confirm it to get your plan back. There is no need to subscribe again.',
  processing_next:
    'This can take a few days. There is no need to pay again. Your plan starts as soon as the payment is confirmed.',
  incomplete_next: 'You have not been charged. You can try again.',
  paused_next: 'You will not be charged until you resume it in the billing portal.',

  past_due_with_plan: 'Pay the open invoice to continue your subscription.',
  authentication_with_plan: 'Confirm it to continue your subscription.',
  processing_with_plan: 'This can take a few days. There is no need to pay again.',

  past_due_in_grace: 'Your plan ends on {date} unless you pay the open invoice.',
  authentication_in_grace: 'Your plan ends on {date} unless you confirm it.',

  confirmPayment: 'Confirm your payment',
  payInvoice: 'Pay your invoice',
  pay: 'Pay {amount}',
});
