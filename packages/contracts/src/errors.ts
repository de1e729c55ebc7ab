import { PICTURE_MAX_BYTES } from './limits.ts';
import { messages } from './messages.ts';

/** Every error code that a client may see, with its HTTP status and message. Codes are never reused or renamed. */
export const ERRORS = {
  'request.invalid': [400, 'Please check the highlighted fields.'],
  'request.malformed': [400, 'The request could not be read.'],
  'request.stale_cursor': [400, 'That page of the list is no longer available.'],
  'audit.search_too_wide': [400, 'Too many names match. Type more of the name, or the whole email.'],
  'request.not_found': [404, 'There is nothing at this address.'],
  'request.method_not_allowed': [405, 'This address does not support that method.'],
  'request.too_many_parameters': [400, 'The address has more than 50 parameters.'],
  'request.length_missing': [411, 'The request does not say how long it is.'],
  'request.too_large': [413, 'The request is too large.'],
  'request.unsupported_type': [415, 'This type of content is not supported here.'],
  'request.unsupported_charset': [415, 'Send text as UTF-8. Other character sets are not supported.'],
  'request.timeout': [408, 'The request took too long to arrive. Please try again.'],
  'request.aborted': [499, 'The request was ended before the response.'],
  'request.wrong_host': [400, 'This server does not serve that address.'],
  'request.cross_site': [403, 'This request did not come from our pages. Reload the page and try again.'],
  'request.rate_limited': [429, 'You have tried too often. Please wait a moment and try again.'],
  'session.missing': [401, 'Please sign in.'],
  'session.forbidden': [403, 'You do not have permission to do that.'],
  'session.permission_missing': [
    403,
    'Your role does not include this. An owner of the panel can change it.',
  ],
  'session.viewing': [
    403,
    'You are viewing this account. You can look around, but you cannot change anything.',
  ],
  'session.reauthentication_required': [403, 'Please confirm that it is you, then try again.'],
  'session.second_factor_required': [403, 'Set up two-step verification first. Then you can do this.'],
  'session.second_step_ended': [
    401,
    'This took too long, or there were too many wrong codes. Please sign in again.',
  ],
  'session.log_in_superseded': [
    401,
    'Your account was changed while you were signing in. Please sign in again.',
  ],
  'session.right_ended': [
    409,
    'Your access changed while this was under way, so nothing was saved. Reload the page and try again.',
  ],
  'client.key_missing': [401, 'Send an API key in the header: Authorization: Bearer sl_live_…'],
  'client.key_refused': [401, 'This API key is unknown, expired or deleted.'],
  'client.key_in_address': [
    400,
    'Send the API key in the Authorization header. In an address it ends up in logs: delete this key, and make a new one.',
  ],
  'client.token_refused': [401, 'This access token has ended.'],
  'client.scope_missing': [403, 'This key may not do that. Make one that may.'],
  'client.origin_refused': [
    403,
    'A page of another site may read with a key, but not charge. Charge from your server or an extension.',
  ],
  'client.restricted': [403, 'The account of this key is about to be deleted.'],
  'session.unavailable': [503, 'We could not check your session. Please try again in a moment.'],
  'service.token_refused': [401, 'This endpoint is only for internal services.'],
  'service.unavailable': [
    503,
    'Part of the service is unavailable right now. Nothing was lost. Please try again in a moment.',
  ],
  'service.timeout': [504, 'Part of the service took too long to respond. Please try again in a moment.'],
  'service.failed': [
    500,
    'Something went wrong on our side. Nothing was lost. Please try again in a moment.',
  ],
  'identity.credentials_wrong': [
    401,
    'Incorrect login credentials. Please check your username and password and try again.',
  ],
  'identity.suspended': [
    403,
    'Your access to the panel is suspended. Write to an owner of the panel to have it restored.',
  ],
  'identity.own_access': [409, 'You cannot change your own access. Another owner can do it.'],
  'identity.admin_not_found': [404, 'There is no such admin.'],
  'identity.invitation_not_found': [404, 'There is no such invitation.'],
  'identity.already_invited': [409, 'This address has an invitation. Send it again or withdraw it.'],
  'identity.login_invalid': [400, 'Please provide valid email and password'],
  'identity.email_taken': [409, 'Email Exists! Please use another email.'],
  'identity.current_password_wrong': [400, 'This is not your current password.'],
  'identity.email_code_wrong': [
    400,
    'This code does not match. Enter the code of the latest email, or have a new one sent.',
  ],
  'identity.email_unchanged': [400, 'This is your current email.'],
  'identity.email_unverified': [
    403,
    'Please confirm your email first. The link is in the email we sent you.',
  ],
  'identity.link_ended': [410, 'This link does not work anymore. It was used, or it is too old.'],
  'identity.busy': [503, 'Many users are signing in right now. Please try again in a moment.'],
  'identity.user_not_found': [404, 'There is no such user.'],
  'identity.code_wrong': [
    400,
    'That code is not right. Enter the one that your app shows now, and check that your phone sets its clock by itself.',
  ],
  'identity.recovery_code_wrong': [400, 'That recovery code is not right, or it was used before.'],
  'identity.passkey_refused': [400, 'This passkey was not accepted. Try again, or use another way.'],
  'identity.totp_on': [409, 'Two-step verification is already on.'],
  'identity.totp_off': [409, 'Two-step verification is off. Set it up first.'],
  'identity.passkey_exists': [409, 'This passkey is already on your account.'],
  'identity.passkeys_full': [409, 'Your account has as many passkeys as it can. Remove one first.'],
  'identity.email_mismatch': [400, 'This is not the email of your account.'],
  'identity.deletion_pending': [
    403,
    'Your account is about to be deleted. Keep it first, then you can do this.',
  ],
  'identity.deletion_due': [410, 'Your account is being deleted right now. It cannot be kept anymore.'],
  'identity.export_running': [409, 'Your download is already being prepared.'],
  'identity.export_not_found': [404, 'This file is not there anymore. You can prepare a new one.'],
  'identity.export_superseded': [409, 'Another run writes this file.'],
  'identity.api_key_not_found': [404, 'There is no such API key.'],
  'identity.api_keys_full': [409, 'Your account has as many API keys as it can. Delete one first.'],
  'identity.webhook_not_found': [404, 'There is no such webhook, or it is off.'],
  'identity.webhook_not_https': [400, 'Please use an address that begins with https://'],
  'identity.webhook_not_public': [400, 'Please use an address that can be reached from the internet'],
  'identity.webhooks_full': [409, 'Your account has as many webhooks as it can. Delete one first.'],
  'worker.delivery_not_found': [404, 'There is no such message.'],
  'worker.delivery_pending': [409, 'This message is being sent right now.'],
  'worker.signature_refused': [400, 'The signature does not match.'],
  'worker.complaint_kept': [409, 'Emails cannot be sent to this address. Please use another email.'],
  'worker.suppression_kept': [
    503,
    'Our email service does not respond right now, so nothing was changed. Please try again in a moment.',
  ],
  'identity.connection_not_found': [404, 'There is no such connection.'],
  'identity.connections_full': [409, 'You have as many tools as you can. Disconnect one first.'],
  'identity.token_not_found': [404, 'This access token has ended.'],
  'identity.request_unknown': [404, 'We do not know this code. Compare it with the one in the tool.'],
  'identity.request_expired': [410, 'This request is too old. Start again in the tool.'],
  'identity.request_decided': [409, 'This request was decided already. Start again in the tool.'],
  'identity.request_elsewhere': [409, 'This request is of another browser. Start again in the tool.'],
  'identity.tool_not_found': [404, 'There is no such tool.'],
  'identity.tool_disabled': [403, 'This tool is disabled.'],
  'identity.passkey_not_found': [404, 'There is no such passkey.'],
  'profile.picture_type': [400, 'Invalid file type. Only PNG, JPEG, and GIF are allowed.'],
  'profile.picture_damaged': [400, 'This picture is damaged. Please choose another file.'],
  'profile.picture_pixels': [
    400,
    'This picture has more than 40 million pixels. Please choose a smaller one.',
  ],
  'profile.picture_size': [
    413,
    `File size exceeds ${PICTURE_MAX_BYTES / 2 ** 20}MB. Please select a smaller file.`,
  ],
  'profile.pictures_busy': [503, 'Many pictures are being uploaded right now. Please try again in a moment.'],
  'profile.picture_not_found': [404, 'There is no such picture.'],
  'profile.not_found': [404, 'There is no such user.'],
  'profile.deleted': [410, 'There is no such user.'],
  'profile.version_conflict': [409, 'This user was changed in the meantime.'],
  'billing.already_subscribed': [409, 'You already have an active subscription.'],
  'billing.payment_open': [
    409,
    'Your last payment did not go through. Pay the open invoice to keep your plan; you do not need to subscribe again.',
  ],
  'billing.payment_processing': [
    409,
    'Your bank is still confirming your payment. You do not need to pay again; your plan starts as soon as it is confirmed.',
  ],
  'billing.subscription_paused': [
    409,
    'Your subscription is paused. Resume it in the billing portal, or contact us.',
  ],
  'billing.other_subscription': [
    409,
    'You have another subscription with our payment provider. Look at it in the billing portal, or contact us, before you subscribe.',
  ],
  'billing.not_paid': [402, 'This payment did not go through.'],
  'billing.checkout_not_found': [404, 'There is no such payment.'],
  'billing.customer_not_found': [404, 'There is no such billing customer.'],
  'billing.user_not_found': [404, 'There is no such user.'],
  'billing.alert_not_found': [404, 'There is no such alert.'],
  'billing.alert_resolved': [409, 'This alert has been resolved meanwhile. Your note was not kept.'],
  'billing.alert_open': [409, 'This alert has been opened again meanwhile. Your note was not kept.'],
  'billing.busy': [503, 'Your payment is already being processed. Please try again in a moment.'],
  'billing.provider_unavailable': [
    503,
    'The payment provider is not responding. Please try again in a moment.',
  ],
  'billing.provider_refused': [
    502,
    'The payment provider refused this. Trying again will not help; please contact us.',
  ],
  'billing.email_refused': [
    409,
    'The payment provider does not accept your email. Change it under Personal Info, then try again.',
  ],
  'billing.address_refused': [
    409,
    'The payment provider does not accept your billing address or tax ID. Change it in the billing portal, then try again.',
  ],
  'billing.price_mismatch': [
    503,
    'You cannot subscribe right now. You have not been charged. Please try again later.',
  ],
  'billing.price_missing': [
    503,
    'You cannot subscribe right now. You have not been charged. Please try again later.',
  ],
  'billing.pack_not_offered': [
    409,
    'Packs of credits are not sold right now. You have not been charged. Please try again later.',
  ],
  'billing.pack_processing': [
    409,
    'Your payment is still being confirmed. You do not need to pay again; your credits are added as soon as it is confirmed.',
  ],
  'billing.portal_not_configured': [
    503,
    'The billing portal is not available right now. Your plan is unchanged. Please try again later or contact support.',
  ],
  'billing.unsubscribe_failed': [502, 'Failed to unsubscribe user.'],
  'billing.period_not_paid': [
    409,
    'The last payment has not gone through, so there is no paid period to run out. End the plan now, or wait for the payment.',
  ],
  'billing.signature_refused': [400, 'The signature does not match.'],
  'credits.balance_too_low': [402, 'You have used all your credits.'],
  'credits.idempotency_key_missing': [400, 'Send an Idempotency-Key header of 1 to 100 visible characters.'],
  'credits.key_reused': [409, 'This Idempotency-Key was already used for a different request.'],
  'credits.daily_limit': [
    429,
    'You have reached today’s limit of reservations, or of contacts that were paid for before. It begins again at midnight UTC.',
  ],
  'credits.export_running': [
    429,
    'You are downloading this file already. Please wait until it has arrived, then try again.',
  ],
  'credits.reservation_not_found': [404, 'There is no such reservation.'],
  'credits.reservation_ended': [409, 'This reservation is already settled.'],
  'credits.grant_changed': [
    409,
    'These credits were granted before, with other details. Please load the page again.',
  ],
  'credits.grant_not_found': [404, 'There is no such grant of credits.'],
  'credits.user_not_found': [404, 'There is no such user.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

const waitText = messages({
  seconds: 'You have tried too often. Please try again in {count, plural, one {# second} other {# seconds}}.',
  minutes: 'You have tried too often. Please try again in {count, plural, one {# minute} other {# minutes}}.',
});

const triesText = messages({ left: '{message} {count, plural, one {# try left} other {# tries left}}' });

/** The message of a wrong code, with the tries that are left. */
export const errorMessageWithTries = (code: ErrorCode, count: number): string =>
  triesText('left', { message: ERRORS[code][1], count });

/** The message of an error. That of a rate limit says how long to wait, where that is known. */
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
