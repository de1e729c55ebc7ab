import { type Scope, SCOPES } from '@shortlist/contracts/api/connected-apps';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { Line } from './layout.ts';
import type { MailContext, MailLink, MailParts, MailContents, MailData, Recipient } from './mail-data.ts';
import { date, list, money } from './formats.ts';
import { mailText } from './messages.ts';
import { mailedPhrase } from './user-text.rules.ts';

const securityLink = ({ isAdmin = false }: Recipient): MailLink => ({
  label: mailText('seeSecurity'),
  path: isAdmin ? '/admin/security' : '/security',
});

const doneBySupport = ({ reason = '' }: MailData['two_step_off']): string => {
  if (reason === '') return '';
  const mailed = mailedPhrase(reason);
  return mailed === '' ? mailText('doneBySupportAlone') : mailText('doneBySupport', { reason: mailed });
};

type FactorMail =
  'two_step_on' | 'two_step_off' | 'passkey_added' | 'passkey_removed' | 'recovery_codes_renewed';

/** A change of an account's factors: what changed, why (if support did it), and what to do if the user did not do it. */
const securityMail =
  (title: 'twoStepOn' | 'twoStepOff' | 'passkeyAdded' | 'passkeyRemoved' | 'recoveryCodesRenewed') =>
  ({ brand, data, recipient }: MailContext<FactorMail>): MailParts => ({
    subject: mailText(title),
    lines: [mailText(`${title}Text`, { brand }), doneBySupport(data), mailText('passwordNotYou')],
    link: securityLink(recipient),
  });

const SCOPE_TEXTS = {
  'credits:read': 'mayReadCredits',
  'credits:charge': 'mayChargeCredits',
  'profile:read': 'mayReadProfile',
} as const satisfies Record<Scope, string>;

const factsOf = (facts: readonly (readonly [string, string])[]): Line => ({
  facts: facts.filter(([, value]) => value !== ''),
});

const rightsOf = (scopes: string): string => {
  const granted = SCOPES.filter((scope) => scopes.split(',').includes(scope));
  return list(granted.map((scope) => mailText(SCOPE_TEXTS[scope])));
};

const keyFacts = ({ name, scopes, hint, createdAt }: MailData['api_key_created']): Line =>
  factsOf([
    [mailText('keyName'), mailedPhrase(name)],
    [mailText('keyItself'), hint],
    [mailText('keyMay'), rightsOf(scopes)],
    [mailText('keyMade'), date(createdAt)],
  ]);

/** An operator chooses an app's name; the app itself names its device. */
const toolFacts = ({ name, scopes, device, createdAt }: MailData['tool_connected']): Line =>
  factsOf([
    [mailText('toolName'), name],
    [mailText('toolDevice'), mailedPhrase(device)],
    [mailText('keyMay'), rightsOf(scopes)],
    [mailText('toolConnected'), date(createdAt)],
  ]);

/** The name of a device, such as 'Firefox on macOS'. */
const deviceOf = ({ browser, system }: Pick<MailData['new_device'], 'browser' | 'system'>): string => {
  if (browser !== '' && system !== '') return mailText('deviceNamed', { browser, system });
  return browser || system || mailText('deviceUnknown');
};

/** The disconnected app, and where it ran: by its own name for the device, or according to its request. */
const endedFacts = ({ name, device, ...origin }: MailData['tool_ended']): Line =>
  factsOf([
    [mailText('toolName'), name],
    [mailText('toolDevice'), mailedPhrase(device) || deviceOf(origin)],
  ]);

/** 'none' if unknown. */
const placeOf = ({ place }: MailData['new_device']): string => place || 'none';

const NEW_PASSWORD_LINK = { label: mailText('setPassword'), path: '/forgot-password' };

/** The emails that help a user notice an attack. */
export const SECURITY_MAILS: MailContents<
  | 'api_key_created'
  | 'tool_connected'
  | 'tool_ended'
  | 'new_device'
  | 'login_locked'
  | 'second_factors_refused'
  | 'recovery_code_used'
  | FactorMail
> = {
  api_key_created: ({ brand, data }) => ({
    subject: mailText('newKey'),
    lines: [
      mailText('newKeyText', { brand }),
      keyFacts(data),
      mailText('newKeyDelete'),
      mailText('newKeyNotYou'),
    ],
    link: { label: mailText('seeConnections'), path: '/connections' },
  }),
  tool_connected: ({ brand, data }) => ({
    subject: mailText('newTool'),
    lines: [
      mailText('newToolText', { brand }),
      toolFacts(data),
      mailText('newToolEnd'),
      mailText('newToolNotYou'),
    ],
    link: { label: mailText('seeConnections'), path: '/connections' },
  }),
  tool_ended: ({ brand, data }) => ({
    subject: mailText('toolEnded'),
    lines: [
      mailText('toolEndedText', { brand, date: date(data.endedAt) }),
      endedFacts(data),
      mailText('toolEndedWhy'),
      mailText('toolEndedNext'),
    ],
    link: { label: mailText('seeConnections'), path: '/connections' },
  }),
  new_device: ({ brand, data }) => ({
    subject: mailText('newSignIn', { brand }),
    lines: [
      mailText('newSignInWhere', { device: deviceOf(data), place: placeOf(data), date: date(data.at) }),
      mailText('newSignInYours'),
      mailText('newSignInNotYours'),
    ],
    link: NEW_PASSWORD_LINK,
  }),
  login_locked: ({ brand, data }) => ({
    subject: mailText('signInsSlowed', { brand }),
    lines: [
      mailText('signInsSlowedWhy', { place: placeOf(data), date: date(data.at) }),
      mailText('signInsSlowedMeans'),
      mailText('signInsSlowedNext'),
    ],
    link: NEW_PASSWORD_LINK,
  }),
  second_factors_refused: ({ brand, data }) => ({
    subject: mailText('factorsRefused', { brand }),
    lines: [
      mailText('factorsRefusedWhy', { place: placeOf(data), date: date(data.at) }),
      mailText('factorsRefusedMeans'),
      mailText('factorsRefusedNext'),
    ],
    link: NEW_PASSWORD_LINK,
  }),
  recovery_code_used: ({ brand, data, recipient }) => ({
    subject: mailText('recoveryCodeUsed'),
    lines: [
      mailText('recoveryCodeUsedText', { brand, date: date(data.at), left: Number(data.left) }),
      mailText('recoveryCodeUsedNext'),
      mailText('passwordNotYou'),
    ],
    link: securityLink(recipient),
  }),
  two_step_on: securityMail('twoStepOn'),
  two_step_off: securityMail('twoStepOff'),
  passkey_added: securityMail('passkeyAdded'),
  passkey_removed: securityMail('passkeyRemoved'),
  recovery_codes_renewed: securityMail('recoveryCodesRenewed'),
};

const TEAM_LINK = { label: mailText('seeTeam'), path: '/admin/team' };

/** The emails to owners about their team. Only the team page shows whom they are about. */
export const TEAM_MAILS: MailContents<'owner_added' | 'invitation_sent'> = {
  owner_added: ({ brand, data }) => ({
    subject: mailText('ownerAdded', { brand }),
    lines: [
      mailText('ownerAddedText', { brand, by: data.by === SYSTEM_ACTOR_ID ? 'operator' : 'owner' }),
      mailText('teamNotExpected'),
    ],
    link: TEAM_LINK,
  }),
  invitation_sent: ({ brand, data }) => ({
    subject: mailText('invitationSent', { brand }),
    lines: [mailText('invitationSentText', { brand, role: data.role }), mailText('teamNotExpected')],
    link: TEAM_LINK,
  }),
};

/** Subject and lines of the email about an alert. */
export const alertMail = ({
  kind,
  objectId,
  amount,
  currency,
  detail,
}: MailData['alert']): Omit<MailParts, 'link'> => {
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
