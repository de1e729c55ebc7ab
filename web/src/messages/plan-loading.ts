import { messages } from '@shortlist/contracts/messages';

/** The page of the plan while it loads. Apart from the other texts of billing, which the first paint does not need. */
export const planLoadingText = messages({
  title: 'Subscription Status',
  loading: 'Loading Your Payment Information Please Wait',
});
