import type { Guards } from './guard.ts';

/** The guards of passwords, sessions, factors and e-mail addresses. */
export const ACCOUNT_GUARDS: Guards = {
  'A9 a log-in whose credentials were read before a new password lives on': {
    file: 'bff/src/session/sessions.ts',
    guard: "owner.generation ?? ''",
    without: '1e9',
    tests: 'tests/races/log-ins.test.ts > around a change',
  },
  'B3 a session that had ended comes back with the password that it changes': {
    file: 'bff/src/session/sessions.ts',
    guard: 'if kept and kept >= begun - 1 and kept < begun',
    without: 'if kept and kept < begun',
    tests: 'bff/test/sessions.test.ts > comes? back',
  },
  'A6 a device cookie outlives a new password': {
    file: 'bff/src/limits/login-limits.ts',
    guard: ' && Number(entry.passwords) === passwords',
    tests: 'bff/test/lockout.test.ts > after a new password',
  },
  'a trusted device outlives a change of the password': {
    file: 'bff/src/proofs/second-step.ts',
    guard: 'devices.get(nameOf(value))?.fingerprint === fingerprint',
    without: 'devices.has(nameOf(value))',
    tests: 'bff/test/second-step.test.ts > ends with a change',
  },
  'A9 two changes of one password at the same moment both count': {
    file: 'services/identity/src/accounts/queries.ts',
    guard: 'replacing === undefined ? {} : { passwordHash: replacing }',
    without: '{}',
    tests: 'services/identity/test/takeover.test.ts > A9 of changes of one password',
  },
  'A12 codes of mails are stored without a key': {
    file: 'services/identity/src/accounts/mailed-token-queries.ts',
    guard: 'keys.hashesOf(`${accountId} ${purpose}`, code)',
    without: "[hash('sha256', `${accountId}|${code}`, 'base64url')]",
    tests: 'services/identity/test/email-verification.test.ts > stored with a key',
  },
  'A12 each new mail gives new guesses of its code': {
    file: 'services/identity/src/accounts/mailed-token-queries.ts',
    guard: ' <= MAILED_CODE_TRIES',
    without: ' > 0',
    tests: 'services/identity/test/email-verification.test.ts > after ten wrong ones',
  },
  'A9 a change of the address outlives a new password': {
    file: 'services/identity/src/credentials/change-password.ts',
    guard: '  await endOpenChanges(tx, id, now);\n',
    tests: 'services/identity/test/takeover.test.ts > open',
  },
  'A13 the factors of an intruder outlive an undo': {
    file: 'services/identity/src/emails/undo-email-change.ts',
    guard: ': change.firstRequestedAt;',
    without: ': clock();',
    tests: 'services/identity/test/takeover.test.ts > A13 removes',
  },
  'A12 a passkey outlives the first password that the owner of the address sets': {
    file: 'services/identity/src/credentials/change-password.ts',
    guard: 'account.ownedSince === null',
    without: 'account.emailVerifiedAt === null',
    tests: 'services/identity/test/takeover.test.ts > A12 keeps no passkey',
  },
  'a stolen session with the password sets another while two-step verification is on': {
    file: 'bff/src/proofs/proofs.ts',
    guard: "!methods.includes('password')",
    without: 'methods.length === 0',
    tests: 'bff/test/step-up.test.ts > own password',
  },
  'S2 a stolen token is refused without the cookie of its browser': {
    file: 'bff/src/session/check-session.ts',
    guard: "if binding ~= '' and binding ~= given then return nil end",
    tests: 'bff/test/binding.test.ts',
  },
  'S2 the stream of a bound session stays open': {
    file: 'bff/src/handlers/live-updates.ts',
    guard: 'sessions.check(page.token, page.bindings)',
    without: 'sessions.check(page.token)',
    tests: 'bff/test/live-streams.test.ts > S2',
  },
  'A6 unknown clients wait after failed log-ins': {
    file: 'bff/src/limits/login-limits.ts',
    guard: 'if waits_until > now then return {0, waits_until - now} end',
    tests: 'bff/test/lockout.test.ts',
  },
  'wrong codes of a person with the password do not count against sessions and known devices': {
    file: 'bff/src/proofs/proofs.ts',
    guard: 'if (client !== null) return `${kind}:${userId}:${client}`;',
    tests: 'bff/test/wrong-proofs.test.ts',
  },
  'A6 only this installation makes device cookies': {
    file: 'bff/src/limits/login-limits.ts',
    guard: 'sameText(mac, macOf(entry, email)) && ',
    tests: 'bff/test/lockout.test.ts > A6 cannot make a cookie',
  },
  'B3 a session is ended by its own user only': {
    file: 'bff/src/session/session-list.ts',
    guard: 'end(userId, (session) => session.id === id)',
    without: 'end(userId, () => true)',
    tests: 'bff/test/devices.test.ts > B3 one is ended',
  },
  'failed log-ins at the same moment are one entry of the history': {
    file: 'services/identity/src/credentials/routes.ts',
    guard: 'await lockAccount(tx, accountId)',
    without: 'await accountExists(tx, accountId)',
    tests: 'services/identity/test/sign-ins.test.ts > same moment',
  },
  'A13 no other account takes an address that can undo a change': {
    file: 'services/identity/src/accounts/take-email.ts',
    guard: 'if (await lockReservation(tx, { email, accountId: id }, now)) throw emailTaken();',
    tests: 'services/identity/test/email-change.test.ts > A13 is reserved',
  },
  'A12 an address that was never confirmed cannot take the account': {
    file: 'services/identity/src/emails/change-email.ts',
    guard: 'emailVerifiedAt === null ? null : ',
    tests: 'services/identity/test/email-change.test.ts > A12 confirms an account',
  },
  'A13 an undo ends the later changes': {
    file: 'services/identity/src/emails/undo-email-change.ts',
    guard: 'await endChangesFrom(tx, change, clock());',
    tests: 'services/identity/test/email-change.test.ts > A13 the link of the first change',
  },
  'A13 an older event restores no older address in the directory': {
    file: 'services/profile/src/profiles/change-profile.ts',
    guard: ' || current.emailVersion >= version',
    tests: 'services/profile/test/email-copy.test.ts > A13 an older event',
  },
  'A13 an older event restores no older address at Stripe': {
    file: 'services/billing/src/subscriptions/queries.ts',
    guard: 'emailVersion: LessThan(emailVersion), ',
    tests: 'services/billing/test/email-change.test.ts > A13 an older event',
  },
  'A13 the password alone does not change the address of an account with two steps': {
    file: 'bff/src/handlers/email-change.ts',
    guard: '      else await assertPasswordSuffices(parts, session);',
    tests: 'bff/test/email-change.test.ts > two-step verification is on',
  },
  'API keys that are made at the same moment count each other': {
    file: 'services/identity/src/api-keys/change-key.ts',
    guard: 'await lockAccount(tx, userId)',
    without: "await (await import('../accounts/queries.ts')).findAccount(tx, userId)",
    tests: 'services/identity/test/api-keys.test.ts > made at once',
  },
  'API keys are made by no account that is about to be deleted': {
    file: 'services/identity/src/api-keys/change-key.ts',
    guard: "  if ((await findDeletion(tx, id)) !== null) throw createError('identity.deletion_pending');\n",
    tests: 'services/identity/test/api-key-owners.test.ts > at which the deletion',
  },
  'D1 an API key is deleted by its own user only': {
    file: 'services/identity/src/api-keys/queries.ts',
    guard: 'findOne({ where: key, lock })',
    without: 'findOne({ where: { id: key.id }, lock })',
    tests: 'services/identity/test/api-keys.test.ts > own user only',
  },
  'A13 the webhooks of an intruder outlive an undo': {
    file: 'services/identity/src/access/end-access.ts',
    guard: 'await stopWebhooks(tx, { ...ending, stop: STOPS[cause] })',
    without: '0',
    tests: 'services/identity/test/api-key-takeover.test.ts > A13',
  },
  'D1 a webhook is changed by its own user only': {
    file: 'services/identity/src/webhooks/queries.ts',
    guard: 'findOne({ where: webhook, lock })',
    without: 'findOne({ where: { id: webhook.id }, lock })',
    tests: 'services/identity/test/webhooks.test.ts > own user only',
  },
  'I7 nothing is sent to a name that stands for a private address': {
    file: 'services/worker/src/webhooks/receiver.ts',
    guard: 'if (!addresses.every(({ address }) => isPublicAddress(address)))',
    without: 'if (addresses.length > 9)',
    tests: 'services/worker/test/webhook-receiver.test.ts > behind a name',
  },
  'I7 a slow system has one request under way': {
    file: 'services/worker/src/webhooks/send-webhooks.ts',
    guard: 'if (sending.has(endpointId)) return;',
    tests: 'services/worker/test/webhooks.test.ts > of a slow system',
  },
  'I7 a delivery has one sender at a time': {
    file: 'services/worker/src/webhooks/queries.ts',
    guard: "    { id, claims, state: 'pending' },\n    { claims: claims + 1, takenUntil },",
    without: "    { id, state: 'pending' },\n    { claims: claims + 1, takenUntil },",
    tests: 'services/worker/test/webhooks.test.ts > two processes',
  },
  'D9 a connection of before comes back when its tool is enabled again': {
    file: 'services/identity/src/tools/connection-queries.ts',
    guard: ' || toolGeneration < tool.generation',
    tests: 'services/identity/test/registered-tools.test.ts > of before back',
  },
  'D9 a tool is connected while it is disabled': {
    file: 'services/identity/src/oauth/requests.ts',
    guard: 'await shareTool(tx, toolId)',
    without: "await (await import('../tools/queries.ts')).findTool(tx, toolId)",
    tests: 'services/identity/test/registered-tools.test.ts > at the same moment',
  },
  'D9 a refresh token that is used at the same moment gives tokens once': {
    file: 'services/identity/src/oauth/adapter.ts',
    guard: 'if (row !== null && (await consumeArtifact(db.manager, key, clock()))) return;',
    without: 'if (row !== null) return void (await consumeArtifact(db.manager, key, clock()));',
    tests: 'services/identity/test/oauth-tokens.test.ts > several times at once',
  },
  'D8 a request of a tool is decided once': {
    file: 'services/identity/src/oauth/requests.ts',
    guard: "if (isDecided(payload)) throw createError('identity.request_decided');",
    tests: 'services/identity/test/oauth-device.test.ts > at the same moment',
  },
  'A13 the API keys of an intruder outlive an undo': {
    file: 'services/identity/src/access/end-access.ts',
    guard: 'await revokeKeys(tx, ending)',
    without: '0',
    tests: 'services/identity/test/api-key-takeover.test.ts > A13',
  },
  'A12 an API key outlives the first password that the owner of the address sets': {
    file: 'services/identity/src/credentials/change-password.ts',
    guard: '    await takeBack(tx, { accountId: id, factorsSince: ALWAYS, caller: user, clock });\n',
    without: '    await clock();\n',
    tests: 'services/identity/test/api-key-takeover.test.ts > A12',
  },
  'an API key works no more once it is deleted': {
    file: 'services/identity/src/api-keys/queries.ts',
    guard: '{ ...key, revokedAt: IsNull(), expiresAt: IsNull() }',
    without: '{ ...key, expiresAt: IsNull() }',
    tests: 'services/identity/test/api-key-owners.test.ts > unknown or deleted',
  },
  'A12 an account that is confirmed gives its address up to no one': {
    file: 'services/identity/src/accounts/take-email.ts',
    guard: ' && emailVerifiedAt === null',
    tests: 'services/identity/test/held-address.test.ts > once the account is confirmed',
  },
  'A12 an account with a plan is not deleted for its address': {
    file: 'services/identity/src/accounts/take-email.ts',
    guard: " && keptFor !== 'plan'",
    tests: 'services/identity/test/held-address.test.ts > with a plan',
  },
  'A12 an account is given up after its time only, and not once it is confirmed': {
    file: 'services/identity/src/accounts/delete-account.ts',
    guard: 'if ((await lockGivenUp(tx, id, clock())) === null) return false;',
    tests: 'services/identity/test/unconfirmed.test.ts > A12',
  },
  'A10 requests of others do not keep a reset mail from the owner of an address': {
    file: 'bff/src/limits/mail-limits.ts',
    guard: 'return pause.pass(key);',
    without: 'await pause.consume(key);\n      return true;',
    tests: 'bff/test/reset-requests.test.ts > A10 causes one mail',
  },
};
