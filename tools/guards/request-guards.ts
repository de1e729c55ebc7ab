import type { Guards } from './guard.ts';

/** The guards of requests, of the data of users, and of mails to them. */
export const REQUEST_GUARDS: Guards = {
  'the changes of a session have a limit': {
    file: 'bff/src/app.ts',
    guard: 'limitChanges(endpoint),',
    tests: 'bff/test/change-limit.test.ts',
  },
  'a user downloads one file of credits at a time': {
    file: 'bff/src/handlers/credits.ts',
    guard: 'createConcurrencyLimit(1, ',
    without: 'createConcurrencyLimit(100, ',
    tests: 'bff/test/history-export.test.ts > a second file of a user',
  },
  'a file of credits has an end': {
    file: 'bff/src/handlers/credits.ts',
    guard: ' && written < HISTORY_FILE_MAX',
    without: ' && written < 2 * HISTORY_FILE_MAX',
    tests: 'bff/test/history-export.test.ts > 50,000 entries at most',
  },
  'C1 a page of another site cannot change anything': {
    file: 'bff/src/session/xsrf.ts',
    guard: "if (isForeign(request) || isForm || !isOwnClient) throw createError('request.cross_site');",
    tests: 'bff/test/cross-site.test.ts',
  },
  'C1 the XSRF token of another session is refused': {
    file: 'bff/src/session/xsrf.ts',
    guard: 'return repeats && (session === null || sessionsOf(request).includes(nameOf(session)));',
    without: 'return repeats;',
    tests: 'bff/test/cross-site.test.ts',
  },
  'C1 every endpoint makes the cross-site check': {
    file: 'bff/src/app.ts',
    guard: '...(endpoint.crossSiteCheck === false ? [] : [assertSameSite(xsrf)]),',
    tests: 'bff/test/cross-site.test.ts',
  },
  'D1 an endpoint responds only to the roles that it declares': {
    file: 'bff/src/http/access.ts',
    guard: 'assertRole(ROLES[endpoint.to], caller);',
    tests: 'bff/test/authorisation.test.ts',
  },
  'D1 an API key does only what its user allowed': {
    file: 'bff/src/v1/steps.ts',
    guard: 'if (!mayUse && !allowances.key.isOver) refuseScope(scope, response);',
    tests: 'bff/test/v1.test.ts > D1 is for a key with its scope alone',
  },
  'D1 an API key that is revoked while it is read does not work afterwards': {
    file: 'bff/src/api-keys/key-store.ts',
    guard: "if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end",
    tests: 'bff/test/api-keys.test.ts > is not stored by a request',
  },
  'D1 an API key ends with its expiry, also while it is stored': {
    file: 'bff/src/api-keys/check-key.ts',
    guard:
      'if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) throw createError(REFUSED[kind]);',
    tests: 'bff/test/api-keys.test.ts > after the expiry',
  },
  'D9 a stored token is refused once its tool is disabled': {
    file: 'bff/src/api-keys/key-store.ts',
    guard: ' && isOutdated(counted.key, generations)',
    without: ' && generations === null',
    tests: 'bff/test/access-tokens.test.ts > from the moment its tool is disabled',
  },
  'D9 an access token works under the tag of its own user only': {
    file: 'bff/src/api-keys/check-key.ts',
    guard: "if (tagOfUser(data.userId) !== tag) throw createError('client.token_refused');",
    tests: 'bff/test/access-tokens.test.ts > tag of another user',
  },
  'B8 an API key in an address is refused': {
    file: 'bff/src/v1/steps.ts',
    guard: "if ([...searchParams].some(isKey)) throw createError('client.key_in_address');",
    tests: 'bff/test/api-keys.test.ts > with the key in the parameter',
  },
  'C1 a page of another site does not charge with an API key': {
    file: 'bff/src/v1/steps.ts',
    guard: "if (!isAllowed(endpoint, origin, own)) throw createError('client.origin_refused');",
    tests: 'bff/test/api-keys.test.ts > ask ahead whether a page',
  },
  'B11 a request for another host is refused': {
    file: 'bff/src/app.ts',
    guard: 'assertHost(config.PUBLIC_URL, config.ALLOWED_HOSTS),',
    tests: 'bff/test/host.test.ts',
  },
  'E2 the body of a refused request is not read to its end': {
    file: 'services/kit/src/http/respond.ts',
    guard: 'if (remaining < 0 && response.writableFinished) end();',
    tests: 'bff/test/uploads.test.ts',
  },
  'B8 a token for one service is refused by every other service': {
    file: 'services/kit/src/http/service-token.ts',
    guard: '        audience,\n        issuer: ISSUER,',
    without: '        issuer: ISSUER,',
    tests: 'services/kit/test/router.test.ts',
  },
  'B8 a remembered token of a service ends with its expiry': {
    file: 'services/kit/src/http/service-token.ts',
    guard: 'Math.min(since + REUSE_MS, value.expiresAt)',
    without: 'since + REUSE_MS',
    tests: 'services/kit/test/service-token.test.ts > refused once it has expired',
  },
  'C1 over https, the http origin of our own host is foreign': {
    file: 'bff/src/session/xsrf.ts',
    guard: "(protocol === 'http:' && origin === `http://${host}`)",
    without: 'origin === `http://${host}`',
    tests: 'bff/test/host.test.ts > C1 over https',
  },
  'K3 no request reaches a service before its database is migrated': {
    file: 'services/kit/src/service.ts',
    guard: 'app.use(refuseUntilConnected(state));',
    tests: 'services/kit/test/roles.test.ts > K3',
  },
  'K3 a process is not ready before its database is migrated': {
    file: 'services/kit/src/service.ts',
    guard:
      "state.isConnected ? db.query('SELECT 1') : Promise.reject(new Error('not connected and migrated yet')),",
    without: "db.query('SELECT 1'),",
    tests: 'services/kit/test/roles.test.ts > K3',
  },
  'B13 a body is as large as its form needs': {
    file: 'bff/src/app.ts',
    guard: "assertBodySize(endpoint.bodyBytes),\n    ...(endpoint.body === 'json'",
    without: "...(endpoint.body === 'json'",
    tests: 'bff/test/worst-bodies.test.ts > has a size that is declared',
  },
  'B13 an input has few parts before a schema sees it': {
    file: 'services/kit/src/http/router.ts',
    guard: 'if (!Buffer.isBuffer(body)) assertShape(body);',
    tests: 'services/kit/test/router.test.ts > B13',
  },
  'B13 broken requests of a network are limited': {
    file: 'bff/src/limits/attempt-limit.ts',
    guard: 'if (!COUNTED.has(toAppError(cause).code)) return cause;',
    without: 'return cause;',
    tests: 'bff/test/refusal-limit.test.ts',
  },
  'a passkey is refused from a frame of another site': {
    file: 'services/identity/src/factors/passkeys.ts',
    guard:
      "if (crossOrigin !== false || topOrigin !== undefined) throw new Error('the prompt was shown in a frame');",
    tests: 'services/identity/test/hostile-passkeys.test.ts > frame of another site',
  },
  'B14 a body takes at most a minute': {
    file: 'services/kit/src/http/serve.ts',
    guard: 'setTimeout(end, bodyMs)',
    without: 'setTimeout(() => undefined, bodyMs)',
    tests: 'services/kit/test/serve.test.ts > B14',
  },
  'B3 the stream of a viewing ends with the session of its admin': {
    file: 'bff/src/handlers/live-updates.ts',
    guard: '...(viewerId === null ? [] : [tagOfUser(viewerId)]),',
    tests: 'bff/test/ended-streams.test.ts > of a viewing',
  },
  'I1 a mail to a user whom profile does not know yet is postponed': {
    file: 'services/worker/src/mail/send-mail.ts',
    guard: "if (recipient === undefined) return postpone(parts, mail, 'profile does not know the user yet');",
    tests: 'services/worker/test/mails.test.ts',
  },
  'I1 a sender or a sweep whose claim has expired does not release the mail of another attempt': {
    file: 'services/worker/src/mail/queries.ts',
    guard: "{ id, attempts, status: 'sending' },",
    without: '{ id },',
    tests: 'services/worker/test/mails.test.ts',
  },
  'mail events that the provider did not sign are refused': {
    file: 'services/worker/src/mail/event-webhook.ts',
    guard: "return verify('sha256', signed, key, Buffer.from(signature, 'base64'));",
    without: 'return signed.length > 0 || key === null || signature === null || verify === null;',
    tests: 'services/worker/test/mail-events.test.ts > with an invented signature',
  },
  'mail events that were signed long ago are refused': {
    file: 'services/worker/src/mail/event-webhook.ts',
    guard: '> TOLERANCE_SECONDS) return false;',
    without: '> 1_000 * TOLERANCE_SECONDS) return false;',
    tests: 'services/worker/test/mail-events.test.ts > signed 601 seconds ago',
  },
  'an event about the mail of a deleted user stores no address': {
    file: 'services/worker/src/mail/event-webhook.ts',
    guard: ' || recipient.isRedacted',
    tests: 'services/worker/test/mail-events.test.ts > of a deleted user',
  },
  'an event from before an address was tried again does not suppress it': {
    file: 'services/worker/src/mail/suppression-queries.ts',
    guard: 'lifted_at IS NULL OR VALUES(occurred_at) > lifted_at - INTERVAL 1 SECOND',
    without: '1 = 1',
    tests: 'services/worker/test/suppressed-mails.test.ts > not by a late repetition',
  },
  'a user does not take back the complaint of another person': {
    file: 'bff/src/handlers/suppressions.ts',
    guard: "        throw createError('worker.complaint_kept');",
    without: '        void createError;',
    tests: 'bff/test/suppressed-email.test.ts > hides the complaint',
  },
  'the personal data of a deleted user is redacted in the audit log': {
    file: 'services/profile/src/erase-user.ts',
    guard: 'await redactEntries(tx, userId);',
    tests: 'services/profile/test/profiles.test.ts',
  },
  'V6 a search by term finds the changed plan': {
    file: 'services/profile/src/profiles/change-profile.ts',
    guard: 'if (profile) await updatePlanOfTerms(tx, profile);',
    without: 'if (profile) return;',
    tests: 'services/profile/test/directory.test.ts',
  },
  'E2 an animation of thousands of frames is refused before it is decoded': {
    file: 'services/profile/src/pictures/picture.rules.ts',
    guard: 'if (!FORMATS.has(format) || pages > MAX_FRAMES) return false;',
    without: 'if (!FORMATS.has(format)) return false;',
    tests: 'services/profile/test/pictures.test.ts',
  },
  'H1 an unpublished event is never pruned': {
    file: 'services/kit/src/messaging/pruning.ts',
    guard: 'DELETE FROM outbox WHERE published_at < ? ORDER BY published_at LIMIT ?',
    without: 'DELETE FROM outbox WHERE created_at < ? ORDER BY id LIMIT ?',
    tests: 'services/kit/test/pruning.test.ts',
  },
};
