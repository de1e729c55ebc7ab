import { PICTURE_MAX_BYTES, REVENUE_PERIODS_MAX } from './limits.ts';
import { messages } from './messages.ts';

/** The codes that a client may see, with their messages, by HTTP status. Codes are never reused or renamed. */
const MESSAGES = {
  400: {
    'request.invalid': 'Please check the highlighted fields.',
    'request.malformed': 'The request could not be read.',
    'request.stale_cursor': 'That page of the list is no longer available.',
    'audit.search_too_wide': 'Too many names match. Type more of the name, or the whole email.',
    'request.too_many_parameters': 'The address has more than 50 parameters. Send fewer.',
    'request.wrong_host': 'This server does not serve that address.',
    'client.key_in_address':
      'Send the API key in the Authorization header. A key in an address ends up in logs, so delete this one and create a new one.',
    'identity.login_invalid': 'Please provide valid email and password',
    'identity.current_password_wrong': 'This is not your current password.',
    'identity.email_code_wrong':
      'This code is not right. Enter the code from the latest email, or get a new one.',
    'identity.email_unchanged': 'This is your current email.',
    'identity.code_wrong':
      'That code is not right. Enter the one your app shows now, and check that your phone sets its time automatically.',
    'identity.recovery_code_wrong': 'That recovery code is not right or was already used.',
    'identity.passkey_refused': 'This passkey was not accepted. Try again, or use another way.',
    'identity.email_mismatch': 'This is not the email of your account.',
    'identity.webhook_not_https': 'Please use an address that begins with https://',
    'identity.webhook_not_public': 'Please use an address that can be reached from the internet',
    'worker.message_text': 'Leave out links, emails, and phone numbers.',
    'worker.job_without_users': 'Choose users, or set a filter. This cannot be done to all users at once.',
    'worker.signature_refused': 'The signature does not match.',
    'profile.picture_type': 'Invalid file type. Only PNG, JPEG, and GIF are allowed.',
    'profile.picture_damaged': 'This picture is damaged. Please choose another file.',
    'profile.picture_pixels': 'This picture has more than 40 million pixels. Please choose a smaller one.',
    'billing.signature_refused': 'The signature does not match.',
    'billing.idempotency_key_missing': 'Send an Idempotency-Key header of 1 to 100 visible characters.',
    'billing.grant_end': 'Choose an end from today to twelve months from now.',
    'billing.range_reversed': 'The last day is before the first.',
    'billing.range_too_long': `These are more than ${REVENUE_PERIODS_MAX} periods. Choose fewer days, or longer periods.`,
    'credits.idempotency_key_missing': 'Send an Idempotency-Key header of 1 to 100 visible characters.',
  },
  401: {
    'session.missing': 'Please sign in.',
    'session.second_step_ended':
      'This took too long, or there were too many wrong codes. Please sign in again.',
    'session.log_in_superseded': 'Your account was changed while you were signing in. Please sign in again.',
    'client.key_missing': 'Send an API key in the header: Authorization: Bearer sl_live_…',
    'client.key_refused': 'This API key is unknown, expired or deleted.',
    'client.token_refused': 'This access token has expired or was revoked.',
    'service.token_refused': 'This endpoint is only for internal services.',
    'identity.credentials_wrong':
      'Incorrect login credentials. Please check your username and password and try again.',
  },
  402: {
    'billing.not_paid': 'This payment did not go through.',
    'billing.payment_declined':
      'The payment was declined, or the payer must confirm it. Nothing was charged.',
    'credits.balance_too_low': 'You have used all your credits.',
  },
  403: {
    'request.cross_site': 'This request did not come from our pages. Reload the page and try again.',
    'session.forbidden': 'You do not have permission to do that.',
    'session.permission_missing': 'Your role does not include this. An owner of the panel can change it.',
    'session.viewing': 'You are viewing this account. You can look around, but you cannot change anything.',
    'session.reauthentication_required': 'Please confirm that it is you, then try again.',
    'session.second_factor_required': 'Set up two-step verification to do this.',
    'client.scope_missing': 'This key does not have permission to do that. Create one that does.',
    'client.origin_refused':
      'Pages on other sites can read with a key, but cannot charge. Charge from your server or a browser extension.',
    'client.restricted': 'The account that this key belongs to is about to be deleted.',
    'identity.suspended': 'Your access to the panel is suspended. Ask an owner of the panel to restore it.',
    'identity.email_unverified': 'Please confirm your email first. The link is in the email we sent you.',
    'identity.deletion_pending': 'Your account is about to be deleted. Keep your account to do this.',
    'identity.tool_disabled': 'This app is disabled.',
  },
  404: {
    'request.not_found': 'There is nothing at this address.',
    'identity.admin_not_found': 'This admin was not found.',
    'identity.invitation_not_found': 'This invitation was not found.',
    'identity.user_not_found': 'This user was not found.',
    'identity.export_not_found': 'This file is no longer available. You can prepare a new one.',
    'identity.api_key_not_found': 'This API key was not found.',
    'identity.webhook_not_found': 'This webhook was not found, or it is turned off.',
    'worker.job_not_found': 'This job was not found.',
    'worker.delivery_not_found': 'This message was not found.',
    'identity.connection_not_found': 'This connection was not found.',
    'identity.token_not_found': 'This access token has expired or was revoked.',
    'identity.request_unknown': 'This code is not right. Enter the code that the app shows.',
    'identity.tool_not_found': 'This app was not found.',
    'identity.passkey_not_found': 'This passkey was not found.',
    'profile.picture_not_found': 'This picture was not found.',
    'profile.not_found': 'This user was not found.',
    'profile.filter_not_found': 'This saved filter was not found.',
    'profile.note_not_found': 'This note was not found.',
    'profile.notice_not_found': 'This notice was not found.',
    'worker.mail_not_found': 'This email was not found.',
    'billing.checkout_not_found': 'We could not find this payment.',
    'billing.customer_not_found': 'This billing customer was not found.',
    'billing.user_not_found': 'This user was not found.',
    'billing.invoice_not_found': 'This invoice was not found.',
    'billing.dispute_not_found': 'This dispute was not found.',
    'billing.alert_not_found': 'This alert was not found.',
    'billing.event_not_found': 'This webhook was not found. Webhooks are kept for thirty days.',
    'service.dead_letter_not_found': 'This event was replayed or discarded in the meantime.',
    'credits.reservation_not_found': 'This reservation was not found.',
    'credits.grant_not_found': 'This grant of credits was not found.',
    'credits.user_not_found': 'This user was not found.',
  },
  405: { 'request.method_not_allowed': 'This address does not support that method.' },
  408: { 'request.timeout': 'The request took too long to arrive. Please try again.' },
  409: {
    'session.right_ended':
      'Your access changed while this was under way, so nothing was saved. Reload the page and try again.',
    'identity.own_access': 'You cannot change your own access. Ask another owner.',
    'identity.already_invited': 'This address was already invited. Send the invitation again or withdraw it.',
    'identity.deletion_requested':
      'This user has asked us to delete the account, so the subscription cannot be resumed.',
    'identity.email_taken': 'Email Exists! Please use another email.',
    'identity.totp_on': 'Two-step verification is already on.',
    'identity.totp_off': 'Two-step verification is off. Set it up first.',
    'identity.passkey_exists': 'This passkey is already on your account.',
    'identity.passkeys_full': 'You have reached the limit of passkeys. Remove one first.',
    'identity.export_running': 'Your download is already being prepared.',
    'identity.export_superseded': 'Another run writes this file.',
    'identity.api_keys_full': 'You have reached the limit of API keys. Delete one first.',
    'identity.webhooks_full': 'You have reached the limit of webhooks. Delete one first.',
    'worker.job_ended': 'This job has already ended. Reload the page to see it.',
    'worker.job_not_undoable': 'Nothing of this job can be undone.',
    'worker.jobs_full': 'There are 20 jobs that have not ended. Wait for one, or cancel one first.',
    'worker.delivery_pending': 'This message is being sent right now.',
    'worker.complaint_kept': 'Emails cannot be sent to this address. Please use another email.',
    'identity.connections_full': 'You have reached the limit of connected apps. Disconnect one first.',
    'identity.request_decided': 'This request was already approved or denied. Start again in the app.',
    'identity.request_elsewhere': 'This request was started in another browser. Start again in the app.',
    'profile.filters_full': 'You have saved 50 filters. Delete one first.',
    'profile.notes_full': 'There are 500 notes about this user. Delete one first.',
    'profile.notice_over': 'This notice is over. Create a new one.',
    'profile.notice_conflict':
      'This notice was changed in the meantime. Close it and open it again to see the change.',
    'profile.notices_full': 'There are 20 current and planned notices. End one first.',
    'profile.version_conflict': 'This user was changed in the meantime.',
    'billing.already_subscribed': 'You already have an active subscription.',
    'billing.payment_open':
      'Your last payment did not go through. Pay the open invoice to keep your plan; you do not need to subscribe again.',
    'billing.payment_processing':
      'Your bank is still confirming your payment. You do not need to pay again; your plan starts as soon as it is confirmed.',
    'billing.subscription_paused':
      'Your subscription is paused. Resume it in the billing portal, or contact us.',
    'billing.other_subscription':
      'You have another subscription with our payment provider. Check it in the billing portal, or contact us, before you subscribe.',
    'billing.alert_resolved': 'This alert was resolved in the meantime. Your note was not saved.',
    'billing.alert_open': 'This alert was reopened in the meantime. Your note was not saved.',
    'billing.event_ignored': 'This webhook has no effect here, so it cannot be replayed.',
    'service.earlier_dead_letter': 'An earlier event of this user is waiting too. Replay that one first.',
    'service.unreadable_dead_letter':
      'These events cannot be read, so they cannot be replayed. Publish them again with the operator program.',
    'worker.job_not_failed': 'This job is not among the last failed ones any more.',
    'billing.email_refused':
      'The payment provider does not accept your email. Change it under Personal Info, then try again.',
    'billing.address_refused':
      'The payment provider does not accept your billing address or tax ID. Change it in the billing portal, then try again.',
    'billing.pack_not_offered':
      'Packs of credits are not sold right now. You have not been charged. Please try again later.',
    'billing.pack_processing':
      'Your payment is still being confirmed. You do not need to pay again; your credits are added as soon as it is confirmed.',
    'billing.renewal_not_stopped':
      'This subscription already renews or has ended, so it cannot be resumed. Reload the page to see it.',
    'billing.trial_refused':
      'A free trial was used before with this account, email or card, or we could not check the card. You have not been charged. You can subscribe without a trial.',
    'billing.change_refused':
      'Your plan cannot be changed this way right now. It needs to be paid by card, renew, and have no open payment, dispute or checkout. Nothing was changed.',
    'billing.change_outdated':
      'The price of this change is not the same any more. Nothing was changed. Please look at it again.',
    'billing.change_unpaid':
      'Your bank did not accept this payment, or needs you to confirm it. Nothing was changed, and you have not been charged. Check your card in the billing portal, then try again.',
    'billing.plan_changed': 'The plan has changed since, so it was left as it is.',
    'billing.period_not_paid':
      'The last payment has not gone through, so there is no paid period to wait for. End the plan now, or wait for the payment.',
    'billing.invoice_not_payable':
      'This invoice cannot be charged now: it was paid or is being paid, or its subscription has ended.',
    'billing.no_receipt': 'There is no receipt to send: only payments for Premium have one.',
    'billing.refund_too_high': 'This is more than is left of the payment.',
    'billing.payment_changed':
      'This payment has changed meanwhile. Look at what is left before you refund it.',
    'billing.payment_not_refundable':
      'Only an invoice that one charge has paid can be refunded here. Open it at the payment provider.',
    'billing.refund_refused': 'The payment provider refused this refund. Open the payment there to see why.',
    'billing.key_reused': 'This Idempotency-Key was already used for a refund of another amount.',
    'credits.key_reused': 'This Idempotency-Key was already used for a different request.',
    'credits.reservation_ended': 'This reservation is already settled.',
    'credits.grant_changed':
      'These credits were already granted with other details. Reload the page to see them.',
  },
  410: {
    'identity.link_ended': 'This link no longer works. It was used or has expired.',
    'identity.deletion_due': 'Your account is already being deleted and can no longer be kept.',
    'identity.request_expired': 'This request has expired. Start again in the app.',
    'profile.deleted': 'This user was not found.',
    'worker.unsubscribe_refused':
      'This link does not work any more. You can turn off emails about credits under Credits & Usage in your account, and news and tips in your profile.',
  },
  411: { 'request.length_missing': 'The request has no Content-Length header.' },
  413: {
    'request.too_large': 'The request is too large.',
    'profile.picture_size': `File size exceeds ${PICTURE_MAX_BYTES / 2 ** 20}MB. Please select a smaller file.`,
  },
  415: {
    'request.unsupported_type': 'This type of content is not supported here.',
    'request.unsupported_charset': 'Send text as UTF-8. Other character sets are not supported.',
  },
  429: {
    'request.rate_limited': 'Too many attempts. Please wait a moment and try again.',
    'credits.daily_limit':
      'You have reached today’s limit of reservations, or of charges for contacts already paid for. It resets at midnight UTC.',
    'credits.export_running':
      'You are already downloading this file. Please wait until the download ends, then try again.',
  },
  499: { 'request.aborted': 'The request was canceled before the response.' },
  500: {
    'service.failed': 'Something went wrong on our side. Nothing was lost. Please try again in a moment.',
  },
  502: {
    'billing.provider_refused':
      'The payment provider refused this. Trying again will not help; please contact us.',
    'billing.unsubscribe_failed': 'Failed to unsubscribe user.',
  },
  503: {
    'session.unavailable': 'We could not check your session. Please try again in a moment.',
    'service.unavailable':
      'Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.',
    'identity.busy': 'Many users are signing in right now. Please try again in a moment.',
    'worker.suppression_kept':
      'Our email service is not responding, so nothing was changed. Please try again in a moment.',
    'profile.pictures_busy': 'Many pictures are being uploaded right now. Please try again in a moment.',
    'billing.busy': 'Your payment is already being processed. Please try again in a moment.',
    'billing.provider_unavailable': 'The payment provider is not responding. Please try again in a moment.',
    'billing.price_mismatch':
      'You cannot subscribe right now. You have not been charged. Please try again later.',
    'billing.price_missing':
      'You cannot subscribe right now. You have not been charged. Please try again later.',
    'billing.portal_not_configured':
      'The billing portal is not available right now. Your plan is unchanged. Please try again later or contact support.',
  },
  504: { 'service.timeout': 'Part of the service took too long to respond. Please try again in a moment.' },
} as const satisfies Record<number, Record<string, string>>;

type KeyOf<Group> = Group extends unknown ? keyof Group : never;
export type ErrorCode = KeyOf<(typeof MESSAGES)[keyof typeof MESSAGES]>;

/** The status and the message of each code. */
export const ERRORS = Object.fromEntries(
  Object.entries(MESSAGES).flatMap(([status, byCode]) =>
    Object.entries<string>(byCode).map(([code, message]) => [code, [Number(status), message] as const]),
  ),
) as Record<ErrorCode, readonly [status: number, message: string]>;

const waitText = messages({
  seconds: 'Too many attempts. Please try again in {count, plural, one {# second} other {# seconds}}.',
  minutes: 'Too many attempts. Please try again in {count, plural, one {# minute} other {# minutes}}.',
});

const triesText = messages({ left: '{message} {count, plural, one {# try left} other {# tries left}}' });

/** The message about a wrong code, with the number of tries left. */
export const errorMessageWithTries = (code: ErrorCode, count: number): string =>
  triesText('left', { message: ERRORS[code][1], count });

/** The message of an error. For a rate limit it includes the wait, if known. */
export const errorMessage = (code: ErrorCode, retryAfterSeconds?: number): string => {
  if (code !== 'request.rate_limited' || retryAfterSeconds === undefined) return ERRORS[code][1];
  return retryAfterSeconds <= 90
    ? waitText('seconds', { count: retryAfterSeconds })
    : waitText('minutes', { count: Math.ceil(retryAfterSeconds / 60) });
};

/** The message for each invalid field, by the field's name. */
export type FieldMessages = Record<string, string>;

/** The body of every response with a status of 400 and above. */
export type ErrorReply = {
  error: { code: ErrorCode; message: string; fields?: FieldMessages; requestId: string };
};
