import { messages } from '@shortlist/contracts/messages';

/** Home: the account management panel. */
export const accountText = messages({
  loading: 'Loading your account',
  failed: 'Your account could not be loaded',

  profile: 'Your Profile',
  goToProfile: 'Go To Your Profile',
  picture: 'Your profile picture',

  subscription: 'Subscription',
  manageSubscription: 'Manage Subscription',
  loadingSubscription: 'Loading your subscription',
  planLoading: 'Loading',
  planConfirming: 'Payment received',
  planPremium: 'Premium',
  planFree: 'Free',
  thankYou: 'Thank you',
  freeCredits: '{credits, number} credits every {days, number} days',
  monthlyCredits: '{credits, number} credits a month',

  portal: 'Stripe Portal',
  managePortal: 'Manage Stripe Account',
  portalText: 'Your card, invoices, and receipts, on Stripe’s own page.',
  invoiceUnknown: 'We cannot show the last invoice right now',

  tools: 'Your tools',
  automationBot: 'Download Automation Bot',
  automationBotText: 'Finds and invites people on LinkedIn while you work',
  crm: 'Go To CRM',
  crmText: 'Every candidate and conversation in one place',
  about: 'About Us',
  aboutText: 'Who we are and how to reach us',
});
