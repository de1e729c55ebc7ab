import { messages } from '@shortlist/contracts/messages';

/** The credits of a user, as an admin sees and changes them. */
export const userCreditsText = messages({
  title: 'Credits',
  loading: 'Loading the user’s credits',
  failed: 'The user’s credits could not be loaded',
  available: '{available, plural, =0 {None available} one {# credit available} other {# credits available}}',
  plan: 'Plan',
  grant: 'Granted by an admin',
  pack: 'Pack of {credits, number}',
  left: '{left, number} of {credits, number} left.',
  over: 'Over. {used, number} of {credits, number} used.',
  until: 'Until {day}.',
  noEnd: 'No end.',
  notStarted: 'Starts with the first credit.',
  because: 'Reason: {reason}',

  grantCredits: 'Grant credits',
  grantTitle: 'Grant credits?',
  grantNote: 'The user is told by email. These credits are used before anything that ends later.',
  grantButton: 'Grant {credits, plural, one {# credit} other {# credits}}',
  granted: '{credits, plural, one {# credit} other {# credits}} granted.',
  credits: 'Credits',
  lastDay: 'Last day (UTC)',
  reason: 'Reason',
  reasonHelp: 'Admins see it here and in the audit log, and the user in the file with their data.',

  revoke: 'Take back',
  revokeTitle: 'Take these credits back?',
  revokeNote: 'Only what is left is taken back. What the user has used of them stays used.',
  revokeButton: 'Take back {credits, plural, one {# credit} other {# credits}}',
  takenBack:
    '{credits, plural, =0 {Nothing was left to take back.} one {# credit taken back.} other {# credits taken back.}}',
});
