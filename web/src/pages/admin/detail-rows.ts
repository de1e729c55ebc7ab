import type { UserView } from '@shortlist/contracts/api/public';
import { profileFields } from '../../features/account-form/account-values.ts';
import { tableDate } from '../../lib/dates.ts';
import { adminText } from '../../messages/admin.ts';

/** The profile fields besides the names, which share the first row. */
const DETAIL_FIELDS = profileFields(false).filter(({ group }) => group !== 'person');

/** The fields of a user with their labels. */
export const detailRows = (user: UserView): readonly (readonly [string, string])[] => [
  [adminText('fullName'), `${user.firstName} ${user.lastName}`],
  [adminText('email'), user.email],
  ...DETAIL_FIELDS.map(
    ({ name, label, shortLabel = label, optional }) =>
      [shortLabel, optional && user[name] === '' ? adminText('none') : user[name]] as const,
  ),
  [adminText('joinDate'), tableDate(user.createdAt)],
  [adminText('userStatus'), adminText(user.plan === 'free' ? 'free' : 'premium')],
];
