import { messages } from '@shortlist/contracts/messages';

export const pictureText = messages({
  label: 'Profile picture',
  choose: 'Choose a picture',
  unpick: 'Remove',
  remove: 'Remove picture',
  undo: 'Keep picture',
  removed: 'The picture will be removed when you save.',
  file: '{name}, {size}',
  kilobytes: '{size} KB',
  megabytes: '{size} MB',
  optional: 'Optional. {limits}. You can also drop it here.',
  limits: '{limits}. You can also drop it here.',
});
