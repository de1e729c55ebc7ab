import { EMAIL_GUARDS } from './email-guards.ts';
import type { Guard } from './guard.ts';
import { CREDIT_GUARDS, MONEY_GUARDS } from './money-guards.ts';
import { REQUEST_GUARDS } from './request-guards.ts';
import { SESSION_GUARDS } from './session-guards.ts';

const EVENTS: readonly Guard[] = [
  {
    name: 'inbox',
    protects: 'H4 a redelivered event has no second effect',
    file: 'services/kit/src/messaging/inbox.ts',
    guard: 'await insertRows(tx, [[consumer, event.id, clock()]]);',
    without: '',
    tests: ['services/kit/test/consumer.test.ts'],
    titles: 'H4',
  },
  {
    name: 'outbox-in-transaction',
    protects: 'H1 a change that is rolled back publishes no event',
    file: 'services/kit/src/messaging/outbox.ts',
    guard: "await change(tx, {\n    sql: 'INSERT INTO outbox",
    without: "await change(tx.dataSource, {\n    sql: 'INSERT INTO outbox",
    tests: ['services/kit/test/outbox.test.ts'],
  },
  {
    name: 'partition-lost',
    protects: 'H8 a message of a reassigned partition is not dead-lettered by the previous owner',
    file: 'services/kit/src/messaging/consumer.ts',
    guard: 'if (error instanceof PartitionLost) throw error;',
    without: '',
    tests: ['services/kit/test/consumer.test.ts'],
    titles: 'H8',
  },
  {
    name: 'effect-timeout',
    protects: 'H5 an effect that never ends does not block its partition',
    file: 'services/kit/src/messaging/consumer.ts',
    guard: 'withTimeout(handler.handle(event), effectTimeoutMs, timedOut)',
    without: 'handler.handle(event)',
    tests: ['services/kit/test/consumer.test.ts'],
    titles: 'never ends',
  },
  {
    name: 'crashed-member',
    protects: 'H9 a consumer that crashes rejoins its group',
    file: 'services/kit/src/messaging/kafka-consumer.ts',
    guard: 'void (isCurrent() && rejoin());',
    without: 'undefined;',
    tests: ['services/kit/test/rebalance.test.ts'],
    titles: 'H9 a member that crashes',
  },
  {
    name: 'inactive-member',
    protects: 'H9 a consumer that hangs is replaced',
    file: 'services/kit/src/messaging/kafka-consumer.ts',
    guard: "log.error({ group }, 'consumer inactive; rejoining');",
    without: 'return;',
    tests: ['services/kit/test/rebalance.test.ts'],
    titles: 'H9 a member whose message never ends',
  },
];

const ENDPOINTS: readonly Guard[] = [
  {
    name: 'xsrf',
    protects: 'C1 a page of another site cannot change anything',
    file: 'bff/src/session/xsrf.ts',
    guard: "if (isForeign(request) || isForm || !isOwnClient) throw createError('request.cross_site');",
    without: '',
    tests: ['bff/test/cross-site.test.ts'],
  },
  {
    name: 'xsrf-session',
    protects: 'C1 the XSRF token of another session is refused',
    file: 'bff/src/session/xsrf.ts',
    guard: 'return repeats && (session === null || sessionsOf(request).includes(nameOf(session)));',
    without: 'return repeats;',
    tests: ['bff/test/cross-site.test.ts'],
  },
  {
    name: 'endpoint-cross-site',
    protects: 'C1 every endpoint makes the cross-site check',
    file: 'bff/src/app.ts',
    guard: '...(endpoint.crossSiteCheck === false ? [] : [assertSameSite(xsrf)]),',
    without: '',
    tests: ['bff/test/cross-site.test.ts'],
  },
  {
    name: 'endpoint-role',
    protects: 'D1 an endpoint responds only to the roles that it declares',
    file: 'bff/src/http/access.ts',
    guard: 'assertRole(ROLES[endpoint.to], caller);',
    without: '',
    tests: ['bff/test/authorisation.test.ts'],
  },
  {
    name: 'host',
    protects: 'B11 a request for another host is refused',
    file: 'bff/src/app.ts',
    guard: 'app.use(assertHost(config.PUBLIC_URL, config.ALLOWED_HOSTS));',
    without: '',
    tests: ['bff/test/host.test.ts'],
  },
  {
    name: 'refused-body',
    protects: 'E2 the body of a refused request is not read to its end',
    file: 'services/kit/src/http/respond.ts',
    guard: 'if (remaining < 0 && response.writableFinished) end();',
    without: '',
    tests: ['bff/test/uploads.test.ts'],
  },
  {
    name: 'service-token-audience',
    protects: 'B8 a token for one service is refused by every other service',
    file: 'services/kit/src/http/service-token.ts',
    guard: '        audience,\n        issuer: ISSUER,',
    without: '        issuer: ISSUER,',
    tests: ['services/kit/test/router.test.ts'],
  },
];

const USERS: readonly Guard[] = [
  {
    name: 'unknown-recipient',
    protects: 'I1 a mail to a user whom profile does not know yet is postponed',
    file: 'services/worker/src/mail/send-mail.ts',
    guard:
      "if (recipient === undefined && isNew) return postpone(parts, mail, 'profile does not know the user yet');",
    without: '',
    tests: ['services/worker/test/mails.test.ts'],
  },
  {
    name: 'expired-sender',
    protects: 'I1 a sender or a sweep whose claim has expired does not release the mail of another attempt',
    file: 'services/worker/src/mail/queries.ts',
    guard: "{ id, attempts, status: 'sending' },",
    without: '{ id },',
    tests: ['services/worker/test/mails.test.ts'],
  },
  {
    name: 'redacted-audit-log',
    protects: 'the personal data of a deleted user is redacted in the audit log',
    file: 'services/profile/src/profiles/change-profile.ts',
    guard: 'await redactEntries(tx, id);',
    without: '',
    tests: ['services/profile/test/profiles.test.ts'],
  },
  {
    name: 'plan-in-terms',
    protects: 'V6 a search by term finds the changed plan',
    file: 'services/profile/src/profiles/store-copies.ts',
    guard: 'if (profile) await updatePlanOfTerms(tx, profile);',
    without: 'if (profile) return;',
    tests: ['services/profile/test/directory.test.ts'],
  },
  {
    name: 'picture-frames',
    protects: 'E2 an animation of thousands of frames is refused before it is decoded',
    file: 'services/profile/src/pictures/picture.rules.ts',
    guard: 'if (!FORMATS.has(format) || pages > MAX_FRAMES) return false;',
    without: 'if (!FORMATS.has(format)) return false;',
    tests: ['services/profile/test/pictures.test.ts'],
  },
  {
    name: 'unpublished-events',
    protects: 'H1 an unpublished event is never pruned',
    file: 'services/kit/src/messaging/pruning.ts',
    guard: 'DELETE FROM outbox WHERE published_at < ? ORDER BY published_at LIMIT ?',
    without: 'DELETE FROM outbox WHERE created_at < ? ORDER BY id LIMIT ?',
    tests: ['services/kit/test/pruning.test.ts'],
  },
];

export const GUARDS: readonly Guard[] = [
  ...MONEY_GUARDS,
  ...CREDIT_GUARDS,
  ...EVENTS,
  ...ENDPOINTS,
  ...SESSION_GUARDS,
  ...REQUEST_GUARDS,
  ...EMAIL_GUARDS,
  ...USERS,
];
