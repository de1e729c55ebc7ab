import { messages } from '@shortlist/contracts/messages';

/** The controls that every area uses. */
export const controlText = messages({
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  dismissMessage: 'Dismiss message',
  retry: 'Retry',
  loading: 'Loading',
  choices: 'Choices',
  noMatch: 'Nothing matches',
  newTab: '(opens in a new tab)',
  show: 'Show {field}',
  hide: 'Hide {field}',
});
