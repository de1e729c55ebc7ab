import { messages } from '@shortlist/contracts/messages';

/** Texts for operators about the Stripe account: on the System screen, in the log and in `shortlist stripe-check`. */
export const setupText = messages({
  notChecked: 'Not checked yet.',
  unreadable: 'Stripe could not be read: {problem}',
  apply: 'Run `shortlist stripe-check --apply` to create it in test mode.',

  price: '{price} a month ({id}).',
  priceMissing: 'There is no active price with the lookup key {lookupKey}.',
  priceInterval: 'The price {id} is charged every {interval}. Move its lookup key to a monthly price.',
  priceAmount:
    'Stripe charges {actual}, but PRICE_MINOR and CURRENCY say {expected}. No checkout opens until both agree.',
  priceUnmarked:
    'The price {id} lacks the metadata plan = {lookupKey}. Add it, or its subscriptions lose the plan when the lookup key moves.',

  yearlyPrice: '{price} a year ({id}).',
  yearlyNotSold: 'No year of the plan is sold (YEARLY_PRICE_MINOR is 0).',
  yearlyMissing:
    'There is no active price with the lookup key {lookupKey}, so no year of the plan is sold. Set YEARLY_PRICE_MINOR to 0 if that is right.',
  yearlyInterval: 'The price {id} is charged every {interval}. Move its lookup key to a yearly price.',
  yearlyAmount:
    'Stripe charges {actual} a year, but YEARLY_PRICE_MINOR and CURRENCY say {expected}. No year is sold until both agree.',

  pack: '{credits} credits for {price} ({id}).',
  packNotSold: 'No packs of credits are sold (PACK_PRICE_MINOR is 0).',
  packMissing:
    'There is no active price with the lookup key {lookupKey}, so no packs of credits are sold. Set PACK_PRICE_MINOR to 0 if that is right.',
  packInterval:
    'The price {id} is charged every {interval}. Move its lookup key to a price that is paid once.',
  packDiffers:
    'The price {id} is {actual} for {stated} credits, but PACK_PRICE_MINOR, CURRENCY and PACK_CREDITS say {price} for {wanted}. No pack is sold until they agree.',
  packCreditsUnknown: 'an unknown number of',

  portal: 'Configured.',
  portalMissing: "The billing portal has no configuration. Save its settings in Stripe's dashboard.",

  search: 'Available.',
  searchRefused:
    'Stripe refuses the search to this account, as in India. A customer whose record is lost is found by the email alone.',

  polled: 'No webhook is needed: events are read from Stripe every few seconds (STRIPE_EVENTS=poll).',
  noEndpoint: 'There is no enabled endpoint to check.',
  endpoint: '{url} is enabled.',
  endpointMissing: 'No enabled webhook endpoint has the address {url}.',
  events: 'All {count} event types are enabled.',
  eventsMissing: 'The endpoint lacks these event types: {types}.',
  version: '{version}.',
  defaultVersion: "the account's default version",
  versionOutdated:
    'The endpoint sends {actual}, but this code reads {expected}. Delete the endpoint and create it again with that version.',
});

/** The details of alerts beyond kind and amount. */
export const alertText = messages({
  disputeReason: 'The customer gave this reason: {reason}.',
  disputeOfPack: 'It paid for a pack of {credits} credits.',
  disputeReasonDue: 'The customer gave this reason: {reason}. Evidence is due by {day}.',
  refunded: 'It was refunded in full.',
  notRefunded: 'It could not be refunded in full. Refund it in Stripe.',
  userUnknown: 'Its customer is {customer}, of no user who is known here.',
  userHasOther: 'Its customer is {customer}, but the user has another one.',
  otherPrice:
    'None of its prices sells the plan here. If one does, give it the metadata plan = {plan} in Stripe.',
  secondSubscription:
    'It is the second one of the plan. Cancel one of them in Stripe, and refund what was paid twice.',
  fraudReason: 'The card issuer gave this reason: {reason}.',
});
