// Limits that several processes, or the browser, must agree on (docs/product.md).
import { hours, inSeconds, minutes } from './durations.ts';

export const PREMIUM_CREDITS = 500;
export const FREE_CREDITS = 20;
/** Length of a free window, and of an admin's view of a subscription. */
export const FREE_WINDOW_DAYS = 30;

/** The monthly plan in minor units, unless PRICE_MINOR and CURRENCY of the environment set another. Screens show Stripe's price. */
export const PRICE_MINOR = 5900;
export const CURRENCY = 'usd';
/** The plan paid for a year, unless YEARLY_PRICE_MINOR sets another; 0 sells none. */
export const YEARLY_PRICE_MINOR = 59_000;
/** The lookup key of the plan's price at Stripe. */
export const PRICE_LOOKUP_KEY = 'shortlist_premium_monthly';
/** The lookup key of its price for a year. Both prices have the former key as the mark of the plan. */
export const YEARLY_LOOKUP_KEY = 'shortlist_premium_yearly';
/** A pack of credits, unless PACK_CREDITS and PACK_PRICE_MINOR set others. Screens show what Stripe's price states. */
export const PACK_CREDITS = 250;
export const PACK_PRICE_MINOR = 1900;
export const PACK_LOOKUP_KEY = 'shortlist_credit_pack';
/** Days for which premium continues after the paid period while Stripe tries to collect the renewal. */
export const GRACE_DAYS = 7;

export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const;
/** The generated name of a stored picture, the only form in which pictures are named. */
export const PICTURE_NAME = /^[a-f0-9]{32}\.jpg$/;

/** The id of a user or an admin, as the product writes it: a UUID in lower case. */
export const USER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export const EMAIL_MIN = 4;
/** Source: RFC 5321, 4.5.3.1.3 with the brackets of a path. */
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 6;
/** Limits the cost of one hash; far longer than any typed password. */
export const PASSWORD_MAX = 256;
/** Minutes for which the link of a password reset works. */
export const RESET_MINUTES = 30;
/** Minutes after an email with such a link during which requests from unknown clients cause no further email to that address. */
export const RESET_PAUSE_MINUTES = 10;
/** Days after which an unconfirmed account is deleted, and days before that at which the user is reminded. */
export const UNCONFIRMED_DAYS = 7;
export const UNCONFIRMED_REMINDER_DAYS = 2;
/** Hours for which the link of a verification works. */
export const VERIFICATION_HOURS = 24;
/** Minutes for which an emailed code works, and how many codes an account may try in a day, across all emails. */
export const MAILED_CODE_MINUTES = 15;
export const MAILED_CODE_TRIES = 10;
/** Hours for which the link of a new address works, and days for which the old address can undo the change. */
export const EMAIL_CHANGE_HOURS = 24;
export const EMAIL_UNDO_DAYS = 7;
/** The seconds between two mails with a link that one user requests, and how many a day. */
export const RESEND_PAUSE_SECONDS = 60;
export const RESENDS_PER_DAY = 5;
/** Days for which the invitation of an admin can be accepted. */
export const INVITATION_DAYS = 7;
export const NAME_MIN = 2;
export const NAME_MAX = 100;
export const ORGANIZATION_MAX = 200;
export const CITY_MIN = 2;
/** The length of the decoded URL. */
export const LINKEDIN_MAX = 300;
/** Characters of a charge's reference; a longer URL is decoded first. */
export const REFERENCE_MAX = 200;

export const NEWEST_ON_DASHBOARD = 4;
export const NEWEST_ON_PAGE = 20;
export const DIRECTORY_PAGE = 50;
export const DIRECTORY_PAGE_MAX = 200;
/** The longest search text: an email. */
export const DIRECTORY_SEARCH_MAX = 254;
/** The count of search results stops here. */
export const DIRECTORY_COUNT_MAX = 10_000;
/** Entries of the audit log on one page. */
export const AUDIT_PAGE = 50;
export const AUDIT_PAGE_MAX = 200;
/** The most people that one search of the audit log may match. */
export const AUDIT_PERSON_MAX = 50;
/** The longest reason that an admin may give for a refund. */
export const REFUND_REASON_MAX = 300;
/** Payments of all users on one page. */
export const PAYMENTS_PAGE = 25;
/** The most periods of one report: the days of a year. */
export const REVENUE_PERIODS_MAX = 366;
/** The months of which a report shows who stayed. */
export const REVENUE_COHORTS = 12;
/** Movements of revenue, or subscribers, on one page. */
export const REVENUE_PAGE = 25;
/** The longest reason that an admin may give for ending a plan. */
export const UNSUBSCRIBE_REASON_MAX = 300;
/** Alerts shown on the operator's screen. */
export const ALERTS_MAX = 100;
/** The longest note with which an admin resolves an alert or opens it again. */
export const ALERT_NOTE_MAX = 300;
/** The failed jobs of a queue on the System screen. */
export const FAILED_JOBS_MAX = 25;
/** The longest reason for which an owner discards an event that could not be handled. */
export const DISCARD_REASON_MAX = 300;
/** Stripe webhooks on one page. */
export const SYSTEM_PAGE = 25;
export const SYSTEM_PAGE_MAX = 100;
/** Active keys per user, and the longest name of a key. */
export const API_KEYS_MAX = 20;
export const API_KEY_NAME_MAX = 60;
/** Webhooks per user, the longest URL, and the hours for which a replaced secret keeps signing. */
export const WEBHOOKS_MAX = 5;
export const WEBHOOK_URL_MAX = 500;
export const WEBHOOK_ROTATION_HOURS = 24;
/** Days of failure after which a webhook is turned off, and days before that at which its user is warned. */
export const WEBHOOK_FAILING_DAYS = 5;
export const WEBHOOK_WARNING_DAYS = 1;
/** Days for which messages and their tries are kept, and how many are on one page. */
export const WEBHOOK_LOG_DAYS = 30;
export const WEBHOOK_LOG_PAGE = 20;
/** Connected apps per user, days without use after which one is disconnected, and the longest name of a device. */
export const CONNECTIONS_MAX = 50;
export const CONNECTION_DAYS = 90;
export const DEVICE_NAME_MAX = 60;
/** Minutes for which a request of an app waits for its user. */
export const CONNECTION_REQUEST_MINUTES = 10;
/** The most credits that one operation can charge. */
export const CHARGE_MAX = 100;
/**
 * Reservations and free charges (of contacts already paid for) per user and UTC day. Credits do not limit them, but each costs a
 * transaction, and a reservation also leaves rows. An honest app needs no more: this is ten months of premium in one day, or a reservation
 * every 17 seconds around the clock.
 */
export const RESERVATIONS_PER_DAY = 5_000;
export const FREE_CHARGES_PER_DAY = 5_000;
/** The most credits of one grant by an admin, the days for which they last, and the length of its reason. */
export const CREDIT_GRANT_MAX = 10_000;
export const CREDIT_GRANT_DAYS_MAX = 366;
export const CREDIT_GRANT_REASON_MAX = 300;
/** Days for which an entry of the credit ledger is kept: 25 months, so that any month can be compared with the same one two years before. */
export const LEDGER_DAYS = 761;
/** Days of one usage report: the default and the maximum. */
export const USAGE_DAYS = 30;
export const USAGE_DAYS_MAX = 366;
/** The most entries that one usage report sums, and that one CSV file of the history contains. */
export const USAGE_ENTRIES_MAX = 100_000;
export const HISTORY_FILE_MAX = 50_000;
export const HISTORY_PAGE = 20;
export const HISTORY_PAGE_MAX = 100;

/** The absolute and the idle lifetime of a session, in seconds. */
export const SESSION_ABSOLUTE_SECONDS = inSeconds(hours(12));
export const SESSION_IDLE_SECONDS = inSeconds(hours(4));
/** Concurrent sessions per user; another one ends the oldest. */
export const SESSIONS_OF_USER_MAX = 100;
/** Entries of an account's sign-in history, and the days after which one is deleted. */
export const SIGN_INS_OF_ACCOUNT_MAX = 50;
export const SIGN_IN_DAYS = 90;

/** Months between two payments, and of a grant without an end. */
export const PLAN_MONTHS = 1;
/** The longest grant of an admin. */
export const GRANT_MONTHS_MAX = 12;

/** Entries of a user's timeline that are read at once, and the most. */
export const TIMELINE_PAGE = 25;
export const TIMELINE_PAGE_MAX = 100;
/** The longest note about a user, and the most of them. */
export const NOTE_MAX = 2_000;
export const NOTES_MAX = 500;
/** The longest notice above the pages of users, its longest link, and for how many days it is shown at most. */
export const NOTICE_MAX = 300;
export const NOTICE_LABEL_MAX = 40;
export const NOTICE_LINK_MAX = 300;
export const NOTICE_DAYS_MAX = 365;
/** Notices that are not over yet, and how many an admin reads with those that are over. */
export const NOTICES_MAX = 20;
export const NOTICES_LISTED = 100;

/** The filters that an admin saves, and the longest name of one. */
export const SAVED_FILTERS_MAX = 50;
export const FILTER_NAME_MAX = 60;

export const BULK_REASON_MAX = 300;
export const BULK_SUBJECT_MAX = 100;
export const BULK_TEXT_MAX = 2_000;
/** Jobs of all admins that have not ended. */
export const BULK_OPEN_MAX = 20;
export const BULK_JOBS_PAGE = 25;
export const BULK_ITEMS_PAGE = 50;
/** Days for which a job and its results are kept. */
export const BULK_JOB_DAYS = 90;

/** How long an admin may view the product as a user. */
export const VIEWING_SECONDS = inSeconds(minutes(15));

/** How long a proof of identity counts for endpoints that require a recent one. */
export const STEP_UP_SECONDS = inSeconds(minutes(10));
/** How long the second step of a log-in may take, and how many wrong codes it allows. */
export const SECOND_STEP_SECONDS = inSeconds(minutes(5));
export const SECOND_STEP_TRIES = 5;
/** How long a device may skip the second step. */
export const TRUSTED_DEVICE_DAYS = 30;
export const RECOVERY_CODES = 10;
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX = 60;
/** Days between the request to delete an account and its deletion, and days before the deletion at which the user is reminded. */
export const DELETION_DAYS = 30;
export const DELETION_REMINDER_DAYS = 3;
export const DELETION_REASON_MAX = 300;
/** Days for which a file with a user's data can be downloaded, files that a user may request per day, and parts of a file. */
export const EXPORT_DAYS = 7;
export const EXPORTS_PER_DAY = 3;
export const EXPORT_PARTS = ['account', 'profile', 'billing', 'credits', 'mails', 'changes'] as const;
/** The largest piece of a file that is stored as one row. */
export const EXPORT_CHUNK_BYTES = 1024 * 1024;
/** The longest reason that an admin may give for removing a user's factors. */
export const FACTOR_REASON_MAX = 300;

/** What an account may not do until its email is confirmed. */
export const UNVERIFIED_MAY_NOT = ['checkout', 'api_keys'] as const;
export type VerifiedAction = (typeof UNVERIFIED_MAY_NOT)[number];
