// The texts of the audit log, for the panel and its CSV file: the actions that services record, and the people they name. Only actions
// listed here are recorded.
import { messages } from './messages.ts';

export const auditActionText = messages({
  'plan.grant': 'Premium granted',
  'plan.revoke': 'Unsubscribed',
  'plan.end_renewal': 'Renewal stopped',
  'plan.resume': 'Renewal resumed',
  'plan.change_interval': 'Billing interval changed',
  'plan.keep_interval': 'Change of the billing interval taken back',
  'credits.grant': 'Credits granted',
  'credits.revoke': 'Credits taken back',
  'payment.refund': 'Payment refunded',
  'payment.try_again': 'Payment tried again',
  'payment.send_receipt': 'Receipt sent again',
  'dispute.note': 'Note on a dispute',
  'alert.resolve': 'Alert resolved',
  'alert.reopen': 'Alert reopened',
  'account.create': 'Account created',
  'account.set_password': 'Password set',
  'account.change_email': 'Email changed',
  'account.undo_email_change': 'Email change undone',
  'account.end_session': 'Signed out on one device',
  'account.end_sessions': 'Signed out everywhere',
  'account.view': 'Account viewed by support',
  'account.retry_email': 'Email tried again',
  'account.request_data': 'Data download requested',
  'account.request_deletion': 'Deletion requested',
  'account.keep': 'Deletion canceled',
  'account.delete': 'Account deleted',
  'profile.update': 'Profile changed',
  'note.add': 'Note added',
  'note.delete': 'Note deleted',
  'notice.create': 'Notice to users created',
  'notice.change': 'Notice to users changed',
  'notice.end': 'Notice to users ended',
  'email.request_verification': 'Confirmation email sent again',
  'terms.accept': 'Terms accepted',
  'factor.add': 'Second factor added',
  'factor.remove': 'Second factor removed',
  'factor.renew_codes': 'Recovery codes renewed',
  'factor.refuse_passkey': 'Passkey refused: it may be a copy',
  'key.create': 'API key created',
  'key.revoke': 'API key deleted',
  'webhook.create': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.delete': 'Webhook deleted',
  'webhook.renew_secret': 'Webhook secret renewed',
  'webhook.stop': 'Webhook stopped',
  'connection.create': 'App connected',
  'connection.end': 'App disconnected',
  'tool.register': 'App registered by the operator',
  'tool.disable': 'App disabled',
  'tool.enable': 'App enabled',
  'admin.log_in': 'Signed in',
  'admin.rename': 'Name changed',
  'team.invite': 'Admin invited',
  'team.resend_invitation': 'Invitation sent again',
  'team.cancel_invitation': 'Invitation withdrawn',
  'team.create': 'Admin created by the operator',
  'team.join': 'Joined the team',
  'team.change_role': 'Role changed',
  'team.suspend': 'Admin suspended',
  'team.restore': 'Admin restored',
  'team.remove': 'Admin removed',
  'users.export': 'User list exported',
  'users.change_many': 'Bulk action requested',
  'audit.export': 'Audit log exported',
  'payments.export': 'Payments exported',
  'system.replay_webhook': 'Stripe webhook handled again',
  'system.replay_dead_letter': 'Failed event sent again',
  'system.discard_dead_letter': 'Failed event discarded',
  'system.retry_job': 'Failed job tried again',
});

export type AuditAction = keyof typeof auditActionText.entries;

export const AUDIT_ACTIONS = Object.keys(auditActionText.entries) as AuditAction[];

const isAuditAction = (action: string): action is AuditAction =>
  Object.hasOwn(auditActionText.entries, action);

/** The known action of a stored entry; null for one of another version. */
export const knownAction = (action: string): AuditAction | null => (isAuditAction(action) ? action : null);

/** What a change is about. */
type ChangeKind = 'account' | 'security' | 'payments' | 'credits';
type AreaOf<Action> = Action extends `${infer Area}.${string}` ? Area : never;

/** By the area of the action, the part before the point. */
const KINDS_OF_AREAS: Record<AreaOf<AuditAction>, ChangeKind> = {
  plan: 'payments',
  payment: 'payments',
  payments: 'payments',
  dispute: 'payments',
  alert: 'payments',
  credits: 'credits',
  factor: 'security',
  key: 'security',
  webhook: 'security',
  connection: 'security',
  account: 'account',
  profile: 'account',
  note: 'account',
  notice: 'account',
  email: 'account',
  terms: 'account',
  tool: 'account',
  admin: 'account',
  team: 'account',
  users: 'account',
  audit: 'account',
  system: 'account',
};

/** Of the actions that differ from their area. */
const KINDS_OF_ACTIONS: Partial<Record<AuditAction, ChangeKind>> = {
  'account.set_password': 'security',
  'account.end_session': 'security',
  'account.end_sessions': 'security',
  'account.view': 'security',
};

const kindOf = (action: AuditAction): ChangeKind =>
  KINDS_OF_ACTIONS[action] ?? KINDS_OF_AREAS[action.split('.')[0] as AreaOf<AuditAction>];

/** The actions of the changes of this kind. */
export const actionsOf = (kind: string): AuditAction[] =>
  AUDIT_ACTIONS.filter((action) => kindOf(action) === kind);

/** The title of an action. An unknown one is spelled out: `plan.pause_now` is "Plan: pause now". */
export const actionTitle = (action: string): string => {
  if (isAuditAction(action)) return auditActionText(action);
  const [area = '', ...rest] = action.replaceAll('_', ' ').split('.');
  return [area.charAt(0).toUpperCase() + area.slice(1), ...rest].join(': ');
};

/** The people and things that an entry names. `invited`: the email of an invitation. `tool`: a connected app. `none`: unknown. */
const parties = {
  admin: 'An admin',
  former_admin: 'A former admin',
  invited: 'An invited admin',
  user: 'A user',
  deleted_user: 'A deleted user',
  tool: 'An app',
  system: 'Automatic',
  none: '–',
} as const;
export const PARTY_KINDS = Object.keys(parties) as (keyof typeof parties)[];
export const partyText = messages({ ...parties, ownAccount: 'Own account' });
