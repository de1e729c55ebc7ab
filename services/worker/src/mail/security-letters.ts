import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { AlertKind } from '@shortlist/contracts/system';
import { date, money } from './account-letters.ts';
import { mailText } from './messages.ts';
import { mailedReason } from './user-text.rules.ts';

type Context = { recipient: { isAdmin?: boolean }; brand: string; data: Record<string, string> };
type Link = { label: string; path: string };
type Parts = { subject: string; lines: string[]; link: Link };

const securityLink = ({ isAdmin = false }: Context['recipient']): Link => ({
  label: mailText('seeSecurity'),
  path: isAdmin ? '/admin/security' : '/security',
});

const doneBySupport = ({ reason = '' }: Record<string, string>): string => {
  if (reason === '') return '';
  const mailed = mailedReason(reason);
  return mailed === '' ? mailText('doneBySupportAlone') : mailText('doneBySupport', { reason: mailed });
};

/** A change of the factors of an account: what changed, why if support did it, and what to do if it was not the user. */
const securityLetter =
  (title: 'twoStepOn' | 'twoStepOff' | 'passkeyAdded' | 'passkeyRemoved' | 'recoveryCodesRenewed') =>
  ({ brand, data, recipient }: Context): Parts => ({
    subject: mailText(title),
    lines: [mailText(`${title}Text`, { brand }), doneBySupport(data), mailText('passwordNotYou')],
    link: securityLink(recipient),
  });

/** The name of a device, such as 'Firefox on macOS'. */
const deviceOf = ({ browser = '', system = '' }: Record<string, string>): string => {
  if (browser !== '' && system !== '') return mailText('deviceNamed', { browser, system });
  return browser || system || mailText('deviceUnknown');
};

/** 'none' without a known place. */
const placeOf = ({ place = '' }: Record<string, string>): string => place || 'none';

const NEW_PASSWORD_LINK = { label: mailText('setPassword'), path: '/forgot-password' };

/** The mails that a user can recognize an attack by. */
export const SECURITY_LETTERS = {
  new_device: ({ brand, data }) => ({
    subject: mailText('newSignIn', { brand }),
    lines: [
      mailText('newSignInWhere', { device: deviceOf(data), place: placeOf(data), date: date(data['at']) }),
      mailText('newSignInYours'),
      mailText('newSignInNotYours'),
    ],
    link: NEW_PASSWORD_LINK,
  }),
  login_locked: ({ brand, data }) => ({
    subject: mailText('signInsSlowed', { brand }),
    lines: [
      mailText('signInsSlowedWhy', { place: placeOf(data), date: date(data['at']) }),
      mailText('signInsSlowedMeans'),
      mailText('signInsSlowedNext'),
    ],
    link: NEW_PASSWORD_LINK,
  }),
  second_factors_refused: ({ brand, data }) => ({
    subject: mailText('factorsRefused', { brand }),
    lines: [
      mailText('factorsRefusedWhy', { place: placeOf(data), date: date(data['at']) }),
      mailText('factorsRefusedMeans'),
      mailText('factorsRefusedNext'),
    ],
    link: NEW_PASSWORD_LINK,
  }),
  recovery_code_used: ({ brand, data, recipient }) => ({
    subject: mailText('recoveryCodeUsed'),
    lines: [
      mailText('recoveryCodeUsedText', { brand, date: date(data['at']), left: Number(data['left']) }),
      mailText('recoveryCodeUsedNext'),
      mailText('passwordNotYou'),
    ],
    link: securityLink(recipient),
  }),
  two_step_on: securityLetter('twoStepOn'),
  two_step_off: securityLetter('twoStepOff'),
  passkey_added: securityLetter('passkeyAdded'),
  passkey_removed: securityLetter('passkeyRemoved'),
  recovery_codes_renewed: securityLetter('recoveryCodesRenewed'),
} as const satisfies Record<string, (context: Context) => Parts>;

type TeamContext = { brand: string; data: Record<string, string> };

const TEAM_LINK = { label: mailText('seeTeam'), path: '/admin/team' };

/** The mails to the owners about their team. Whom they are about stands on the page of the team alone. */
export const TEAM_LETTERS = {
  owner_added: ({ brand, data }: TeamContext) => ({
    subject: mailText('ownerAdded', { brand }),
    lines: [
      mailText('ownerAddedText', { brand, by: data['by'] === SYSTEM_ACTOR_ID ? 'operator' : 'owner' }),
      mailText('teamNotExpected'),
    ],
    link: TEAM_LINK,
  }),
  invitation_sent: ({ brand, data }: TeamContext) => ({
    subject: mailText('invitationSent', { brand }),
    lines: [mailText('invitationSentText', { brand, role: data['role'] ?? '' }), mailText('teamNotExpected')],
    link: TEAM_LINK,
  }),
} as const;

/** Subject and lines of an alert's mail. `data` has the alert's kind, id, amount, currency and detail. */
export const alertLetter = (data: Record<string, string>): { subject: string; lines: string[] } => {
  const { objectId = '', amount = '', currency = '', detail = '' } = data;
  const kind = data['kind'] as AlertKind; // the event's schema allows no other kinds
  const sum = amount === '' || currency === '' ? 'none' : money({ amount, currency });
  return {
    subject: mailText(kind),
    lines: [
      mailText(`${kind}_what`, { amount: sum }),
      mailText(`${kind}_next`),
      detail,
      mailText('reference', { reference: objectId }),
    ],
  };
};
