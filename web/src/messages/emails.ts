import { messages } from '@shortlist/contracts/messages';

/** The emails of the product, as admins see them. */
export const emailsText = messages({
  loading: 'Loading the emails',
  failed: 'The emails could not be loaded',
  all: 'All emails',
  canTurnOff: 'Can be turned off',
  show: 'Show the email: {subject}',
  open: 'Show',
  loadingOne: 'Loading the email',
  failedOne: 'The email could not be loaded',
  html: 'As email programs show it',
  text: 'As text',
  send: 'Send me a test',
  sent: 'The test is on its way to your email',
  back: 'All emails',
});
