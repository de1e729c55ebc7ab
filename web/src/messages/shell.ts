import { messages } from '@shortlist/contracts/messages';

export const shellText = messages({
  welcome: 'Welcome back, {name}.',
  welcomeWithCredits:
    'Welcome back, {name}. {credits, plural, =0 {No credits are left.} one {# credit is left.} other {# credits are left.}}',
  welcomeAdmin: 'Welcome back.',
});
