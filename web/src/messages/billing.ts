import { messages } from '@shortlist/contracts/messages';

/** The plan, its payments and the billing portal. */
export const billingText = messages({
  planFailed: 'Your plan could not be loaded',
  planUnaffected: 'Your plan itself is not affected.',
  confirmingText:
    'We have received your payment and are waiting for its confirmation. Your plan appears here as soon as it is confirmed. There is nothing more to do.',

  yourPlan: 'Your plan',
  premium: 'Premium',
  lastPayment: 'Last payment date',
  start: 'Start date',
  end: 'End date',
  nextInstallment: 'Next installment due',
  planEnds: 'Plan ends',
  notSet: 'Not set',
  none: 'None',
  notAvailable: 'We cannot show the dates of your plan right now.',
  managePortal: 'Manage Stripe Account',
  credits: 'Credits & Usage',

  monthlyPlan: 'The monthly plan',
  perMonth: '{price}/Month',
  terms: 'Billed monthly by card. Cancel at any time.',
  getStarted: 'Get Started',
  notCharged:
    'The payment provider is not responding. You have not been charged. Please try again in a moment.',
  agent: 'LinkedIn automation agent',
  agentText: 'Finds people, sends invitations, and follows up',
  crm: 'Cloud recruiter CRM',
  crmText: 'Every candidate and conversation in one place',
  extension: 'AI browser extension for personalised outreach',
  extensionText: 'Writes a first message for each person',
  finder: '{credits, number} email-finder credits a month for LinkedIn profiles',
  finderText: 'For emails found and messages composed',

  freePlan: 'On the free plan',
  freeMeter: 'Free credits used',
  loadingFree: 'Loading your free credits',
  free: 'You get {limit, number} credits every {days, number} days.',
  freeUsed:
    'You get {limit, number} credits every {days, number} days. {used, plural, =0 {You have not used any yet.} other {You have used # so far.}}',
  freeUsedUntil:
    'You get {limit, number} credits every {days, number} days. {used, plural, =0 {You have not used any yet.} other {You have used # so far.}} You get new ones on {day}.',
  freeUnknown:
    'You get {limit, number} credits every {days, number} days. We cannot show how many are left right now.',

  portalTitle: 'Stripe Billing Portal',
  portalLoading: 'Loading your Stripe billing portal now',
  portalNext: 'You will be taken to Stripe’s own page.',
  portalFailed: 'The billing portal could not be opened',
  portalSlow: 'The server is taking too long to respond. Please try again in a moment.',
  portalUnreachable: 'We cannot reach the server. Check your connection and try again.',
  portalEmpty: 'There is no card and no invoice of yours at Stripe yet.',

  processing: "Don't close this tab. Your payment is processing",
  processingText: 'We are waiting for Stripe to confirm it. This takes a few seconds.',
  congratulations: 'Congratulations!',
  thankYou: 'Thank you for your purchase',
  processed: 'Your payment has been processed successfully.',
  enjoy: 'Now you can enjoy all the premium features of our Chrome Extension',
  goHome: 'Go To Home',
  payment: 'Payment',
  logInTitle: 'Sign in to see your payment',
  logInText: 'Your session ended while you were away. After you sign in, you return to this page.',
  logIn: 'Log In',
  noPayment: 'There is no payment to show here. You can see your plan under Subscription Status.',
  unknownPayment: 'There is no such payment.',
  onItsWay: 'Your payment is on its way',
  notConfirmed: 'Your payment could not be confirmed',
  notConfirmedYet: 'Your payment could not be confirmed yet',
  goToPlan: 'Go to Subscription Status',
  pack: 'Pack of {credits, number} credits, {price}',
  packAfterPremium:
    'Used after this month’s credits. Does not expire. Paid once by card, and does not renew.',
  packAfterFree: 'Used after your free credits. Does not expire. Paid once by card, and does not renew.',
  buyPack: 'Buy pack',
  opening: 'Opening…',
  packAdded: '{credits, number} credits added',
  packAddedText:
    'Thank you for your purchase. They are used after the credits of your plan, and do not expire.',
  packLess: 'Of the {credits, number} credits of this pack, {paid, number} are paid for now.',
  goToCredits: 'Go to Credits & Usage',
  noPack: 'There is no payment to show here. You can see your credits under Credits & Usage.',

  canceled: 'Payment canceled',
  canceledText: 'You have not been charged. You can subscribe at any time.',
  backToPlan: 'Back to Subscription Status',
});
