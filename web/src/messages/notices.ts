import { messages } from '@shortlist/contracts/messages';

/** What admins announce above the pages of users. */
export const noticesText = messages({
  loading: 'Loading the notices',
  failed: 'The notices could not be loaded',
  create: 'New notice',
  now: 'Shown now',
  noneNow: 'No notice is shown now.',
  planned: 'Planned',
  nonePlanned: 'No notices are planned.',
  over: 'Over',
  noneOver: 'No notice is over yet.',
  span: '{audience}, {from} – {until}',
  spanOfWarning: 'Warning, {audience}, {from} – {until}',
  change: 'Change',
  changeThis: 'Change the notice: {text}',
  end: 'End',
  endThis: 'End the notice: {text}',
  endTitle: 'End this notice',
  endText: 'Users no longer see it. You cannot bring it back.',
  endButton: 'End notice',
  ended: 'The notice is over',

  createTitle: 'New notice',
  changeTitle: 'Change the notice',
  save: 'Save notice',
  created: 'The notice is saved',
  audience: 'Who sees it',
  tone: 'How it looks',
  text: 'Text',
  textHelp: 'Plain text of up to {max} characters',
  textMissing: 'Please enter a text',
  tooLong: 'Please use at most {max} characters',
  linkLabel: 'Text of the link',
  linkTo: 'Link',
  linkHint: '/credits or https://…',
  optional: 'optional',
  from: 'From',
  until: 'Until',
  timeHelp: 'In your time zone, {zone}',
  timeMissing: 'Please enter a date and a time',
  untilBeforeFrom: 'The end must be after the beginning',
  preview: 'Preview',
  freeUsers: 'Free users',
  premiumUsers: 'Premium users',
  notSeen: 'They do not see it',
});

export const audienceText = messages({
  everyone: 'Everyone',
  free: 'Free users',
  premium: 'Premium users',
});

export const toneText = messages({ info: 'Announcement', warn: 'Warning' });
