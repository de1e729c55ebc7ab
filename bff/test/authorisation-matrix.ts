import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { publicPaths } from '@shortlist/contracts/api/public';
import { type EndpointName, endpointNames } from './requests.ts';

/** The result of a call: the endpoint is allowed, or refuses with this status. */
export type Access = 'allowed' | 401 | 403;
type Row = Record<'anonymous' | 'user' | 'admin', Access>;

const ROWS = {
  anyCaller: { anonymous: 'allowed', user: 'allowed', admin: 'allowed' },
  anySession: { anonymous: 401, user: 'allowed', admin: 'allowed' },
  usersOnly: { anonymous: 401, user: 'allowed', admin: 403 },
  adminsOnly: { anonymous: 401, user: 403, admin: 'allowed' },
} as const satisfies Record<string, Row>;

/** Repeats on purpose what the endpoints declare: who may call changes only where both places change. */
const NAMES: Record<Exclude<keyof typeof ROWS, 'adminsOnly'>, string> = {
  anyCaller: `
    signup login adminLogin logout config emailAvailability verifyEmail confirmEmailChange checkEmailUndo
    undoEmailChange unsubscribe forgotPassword checkReset resetPassword secondFactor secondFactorPasskey
    passkeyLogInOptions passkeyLogIn checkInvitation acceptInvitation`,
  anySession: `
    changePassword updateUser reauthentication reauthenticate factors startTotp confirmTotp removeTotp
    renewRecoveryCodes passkeyOptions addPasskey renamePasskey removePasskey listDevices endSession
    listTrustedDevices removeTrustedDevice endOtherSessions endAllSessions listSignIns`,
  usersOnly: `
    email verifyEmailCode resendVerification retryEmail requestEmailChange resendEmailChange
    cancelEmailChange confirmEmailChangeCode checkUser subscription subscribe confirmPayment cancelPlan
    resumePlan previewInterval changeInterval keepInterval refreshPlan invoices openInvoiceFile billingPortal credits creditsHistory exportHistory
    creditsUsage creditPacks buyPack confirmPack creditMails setCreditMails newsMails setNewsMails chargeCredit reserveCredit
    commitReservation releaseReservation access listApiKeys createApiKey revokeApiKey webhooks createWebhook
    changeWebhook deleteWebhook rotateWebhookSecret webhookDeliveries sendTestEvent redeliver listConnections
    endConnection findConnectionRequest approveConnection denyConnection deletion requestDeletion keepAccount
    dataExport requestDataExport removeDataExport downloadData currentNotices`,
};

/** The endpoints for admins, by what the role of an admin must include: nothing for `every`. */
const NAMES_OF_ADMINS: Partial<Record<Permission | 'every', string>> = {
  every: 'checkAdmin ownAdmin renameOwnAdmin',
  'users.read': `
    listUsers userTotals newestUsers getUser userProfile accountStatus userAccess userBuckets
    userCreditsHistory userFactors userNotes listUserDevices userDeletion listUserSignIns timeline
    bulkJobs bulkJob bulkItems pauseBulkJob continueBulkJob cancelBulkJob undoBulkJob
    savedFilters saveFilter removeFilter userActivity`,
  'users.edit': 'retryUserEmail',
  'users.export': 'exportUsers exportPayments exportBulkItems',
  'users.delete': 'deleteUser',
  'notes.write': 'addNote removeNote',
  'notices.write': 'notices createNotice changeNotice endNotice',
  'plan.grant': 'grantPlan resumeUserPlan',
  'plan.revoke': 'revokePlan',
  'credits.adjust': 'grantCredits revokeCredits',
  'factors.remove': 'removeUserFactors',
  // A job needs what its kind does; the example body signs users out.
  'sessions.end': 'endUserKey endUserConnection endUserDevice endUserSessions createBulkJob',
  impersonate: 'startViewing',
  'payments.refund': 'refundPayment retryPayment sendReceipt noteDispute',
  'revenue.read': `
    earnings payments paymentTotals payment revenue revenuePeriods exportRevenue retention revenueEntries
    revenueSubscribers stripeEvent`,
  'audit.read': 'audit',
  'audit.export': 'exportAudit',
  'system.read': `
    system systemStatus deadLetters stripeEvents failedJobs exampleMails exampleMail sendExampleMail`,
  'system.manage': `
    deadLetter replayDeadLetter discardDeadLetter replayStripeEvent replayStripeEvents retryJob`,
  'alerts.resolve': 'resolveAlert reopenAlert',
  'tools.manage': 'tools disableTool enableTool',
  'team.manage': `
    retryAdminEmail team inviteAdmin resendInvitation cancelInvitation changeAdminRole suspendAdmin
    restoreAdmin removeAdmin endAdminSessions removeAdminFactors`,
};

const namesIn = (list: string): EndpointName[] => {
  const names = list.trim().split(/\s+/) as EndpointName[];
  const unknown = names.filter((name) => !endpointNames.includes(name));
  if (unknown.length > 0) throw new Error(`there are no endpoints ${unknown.join()}`);
  return names;
};

/** Open to an admin who views the product as a user; everything else refuses with 403. */
export const VIEWABLE = new Set(
  namesIn(`
    email resendVerification logout config checkUser subscription invoices openInvoiceFile credits
    creditsHistory creditsUsage creditPacks creditMails newsMails access listApiKeys webhooks webhookDeliveries
    listConnections factors listDevices listTrustedDevices listSignIns currentNotices`),
);

/** Refused when the user last proved who they are more than ten minutes ago. */
export const AFTER_PROOF = namesIn(`
  exportUsers exportPayments refundPayment retryPayment sendReceipt noteDispute deleteUser grantPlan resumeUserPlan revokePlan endUserKey endUserConnection createApiKey approveConnection
  startTotp confirmTotp removeTotp renewRecoveryCodes passkeyOptions addPasskey removePasskey
  removeUserFactors endSession endOtherSessions endAllSessions endUserDevice endUserSessions requestDeletion
  requestDataExport downloadData changeAdminRole disableTool enableTool cancelInvitation changeWebhook
  createWebhook endAdminSessions exportAudit grantCredits inviteAdmin removeAdmin removeAdminFactors
  removeTrustedDevice resendInvitation restoreAdmin revokeCredits rotateWebhookSecret startViewing
  suspendAdmin exportBulkItems createBulkJob continueBulkJob undoBulkJob replayDeadLetter discardDeadLetter
  replayStripeEvent replayStripeEvents retryJob`);

/** What the role of an admin must include for each of these endpoints. */
export const PERMISSIONS: Partial<Record<EndpointName, Permission>> = {
  signup: 'users.create',
  updateUser: 'users.edit',
};
/** Every public endpoint. */
export const MATRIX = {} as Record<EndpointName, Row>;
const addRows = (row: Row, list: string): void => {
  for (const name of namesIn(list)) {
    if (name in MATRIX) throw new Error(`${name} is here twice`);
    MATRIX[name] = row;
  }
};
for (const [row, list] of Object.entries(NAMES)) addRows(ROWS[row as keyof typeof NAMES], list);
for (const [permission, list] of Object.entries(NAMES_OF_ADMINS)) {
  addRows(ROWS.adminsOnly, list);
  if (permission !== 'every') for (const name of namesIn(list)) PERMISSIONS[name] = permission as Permission;
}
const missing = endpointNames.filter((name) => !(name in MATRIX));
if (missing.length > 0) throw new Error(`${missing.join()} must say here who may call`);

/** The public paths that are not declared as JSON endpoints. */
export const PATHS: Record<keyof typeof publicPaths, Row> = {
  stripeWebhook: ROWS.anyCaller, // billing checks the signature
  sendgridWebhook: ROWS.anyCaller, // worker checks the signature
  pictures: ROWS.anyCaller,
  live: ROWS.anySession,
};

/** A role that may call the endpoint. */
export const roleFor = (name: EndpointName): 'user' | 'admin' =>
  MATRIX[name].user === 'allowed' ? 'user' : 'admin';

/** The endpoints that need a session. */
export const behindSession = endpointNames.filter((name) => MATRIX[name].anonymous === 401);
