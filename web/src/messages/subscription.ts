import { messages } from '@shortlist/contracts/messages';

/** The states of a subscription, as every screen names them. `date`: the end of premium, `amount`: what is to be paid. */
export const stateText = messages({
  // What the plan is
  confirming: 'Your payment is being confirmed',
  unsubscribed: 'You are currently un-subscribed',
  active: 'Your monthly subscription is currently paid for and active',
  activeYear: 'Your yearly subscription is currently paid for and active',
  trial: 'Your free trial lasts until {day}',
  trialCanceled: 'Your free trial ends on {day}, and nothing will be charged',
  canceled: 'Your subscription is canceled. Premium ends on {day}',
  granted: 'You have Premium, granted by our team',
  renewing: 'Your subscription is being renewed',
  premium: 'You have Premium',

  // What keeps a payment from going through, or from staying
  past_due: 'We could not collect your renewal payment.',
  authentication: 'Your bank needs you to confirm your payment.',
  processing: 'Your bank is still confirming your payment.',
  incomplete: 'Your first payment did not go through.',
  paused: 'Your subscription is paused.',
  disputed: 'Your bank is reviewing a payment that you disputed.',
  other_subscription: 'You have another subscription with our payment provider.',

  // What happens next
  past_due_free: 'Pay the open invoice to get your plan back. You do not need to subscribe again.',
  past_due_ending: 'Pay the open invoice to get your plan back. It ends after the period you pay for.',
  past_due_paid: 'Your plan ends on {date} unless you pay the open invoice.',
  past_due_granted: 'You have Premium until {date}. Pay the open invoice to continue your subscription.',
  authentication_free: 'Confirm it to get your plan back. You do not need to subscribe again.',
  authentication_ending: 'Confirm it to get your plan back. It ends after the period you pay for.',
  authentication_paid: 'Your plan ends on {date} unless you confirm it.',
  authentication_granted: 'You have Premium until {date}. Confirm it to continue your subscription.',
  processing_free:
    'This can take a few days. You do not need to pay again. Your plan starts as soon as the payment is confirmed.',
  processing_paid: 'You keep Premium meanwhile. This can take a few days. You do not need to pay again.',
  processing_granted:
    'You have Premium until {date}. This can take a few days. You do not need to pay again.',
  incomplete_free: 'You have not been charged. You can try again.',
  paused_free: 'You will not be charged until you resume it in the billing portal, or our team does.',
  paused_until_free:
    'It resumes automatically on {resumes}. You will not be charged before then, unless you or our team resume it earlier.',
  paused_until_premium:
    'You have Premium until {date}. The subscription resumes automatically on {resumes}. You will not be charged before then, unless you or our team resume it earlier.',
  paused_premium:
    'You have Premium until {date}. You will not be charged until you resume it in the billing portal, or our team does.',
  disputed_free: 'You can subscribe again.',
  disputed_paid: 'You keep Premium until the bank decides. If it refunds your payment, Premium ends.',
  disputed_granted: 'You have Premium until {date}, whatever the bank decides.',
  other_subscription_free: 'Check it in the billing portal, or contact us, before you subscribe.',
  other_subscription_premium:
    'You have Premium until {date}. Check what you pay for in the billing portal, or contact us, so that you do not pay twice.',
  active_until: 'Your subscription renews until {date}, then ends.',
  renewing_next: 'You keep Premium until {date} at the latest. No action is needed.',

  // When Premium credits that are used up come back
  creditsOnDay: 'You get the next {limit, number} on {day}.',
  creditsWithPayment: 'You get the next {limit, number} with your next payment.',
  creditsAfterResume: 'You get the next {limit, number} after your subscription is resumed.',
  creditsAfterEnd: 'Premium ends on {day}. After that, you get the credits of the free plan.',

  // The card of the subscription on Home
  planLoading: 'Loading',
  upgrade: 'You can upgrade at any time',
  renewsOn: 'Renews on {day}',
  trialUntil: 'Free until {day}',
  renewsUntil: 'Renews until {day}',
  endsOn: 'Ends on {day}',
  grantedUntil: 'Granted by our team until {day}',
  noRenewalDate: 'We cannot show the renewal date right now',

  // The last invoice on Home
  noInvoice: 'No invoice yet',
  lastInvoice: 'Last invoice for the plan: {amount}, paid',
  openInvoice: 'Open invoice: {amount}',
  processingInvoice: 'Invoice: {amount}, not confirmed yet',
  disputedInvoice: 'Disputed payment: {amount}',

  confirmPayment: 'Confirm your payment',
  payInvoice: 'Pay your invoice',
  pay: 'Pay {amount}',
  openPortal: 'Open the billing portal',
});

/** The page of the plan while it loads: the first paint has these, and does not need the other texts of billing. */
export const planLoadingText = messages({
  title: 'Subscription Status',
  loading: 'Loading Your Payment Information Please Wait',
});
