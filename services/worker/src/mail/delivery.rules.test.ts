import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanReason,
  DELIVERY_STATES,
  type DeliveryState,
  isStopped,
  REASON_MAX,
  stateOf,
  suppressionOf,
  weakerThan,
} from './delivery.rules.ts';

describe('an event of the email provider', () => {
  it.each([
    ['deferred', '', 'deferred'],
    ['delivered', '', 'delivered'],
    ['dropped', '', 'dropped'],
    ['bounce', 'bounce', 'bounced'],
    ['bounce', '', 'bounced'],
    ['bounce', 'blocked', 'blocked'],
    ['spamreport', '', 'complained'],
  ])('%s of type %j makes the email %s', (kind, type, state) => expect(stateOf({ kind, type })).toBe(state));

  it.each([
    'processed',
    'open',
    'click',
    'unsubscribe',
    'group_unsubscribe',
    'Bounce',
    'constructor',
    '__proto__',
    '',
  ])('%j is ignored', (kind) => expect(stateOf({ kind, type: '' })).toBeNull());
});

describe('why nothing is sent to an address', () => {
  it.each([
    ['bounced', '550 User unknown', 'bounced'],
    ['complained', '', 'complained'],
    ['dropped', 'Bounced Address', 'bounced'],
    ['dropped', 'Invalid', 'bounced'],
    ['dropped', ' Invalid Email Address', 'bounced'],
    ['dropped', 'Spam Reporting Address', 'complained'],
  ] as const)('%s with %j: %s', (state, reason, kind) => expect(suppressionOf(state, { reason })).toBe(kind));

  it.each([
    ['dropped', 'Recipient List over Package Quota'],
    ['dropped', 'Spam Content (if spam checker app enabled)'],
    ['dropped', 'Unsubscribed Address'],
    ['dropped', ''],
    ['blocked', '421 Try again later'],
    ['deferred', ''],
    ['delivered', 'Bounced Address'],
  ] as const)('nothing of it by %s with %j', (state, reason) =>
    expect(suppressionOf(state, { reason })).toBeNull(),
  );

  it('stops every email after a bounce, and after a complaint those that do not protect the account', () => {
    expect(isStopped('password_reset', 'bounced')).toBe(true);
    expect(isStopped('password_reset', 'complained')).toBe(false);
    expect(isStopped('email_changed', 'complained')).toBe(false);
    for (const template of [
      'welcome',
      'verify_email',
      'confirm_new_email',
      'admin_invitation',
      'receipt',
      'test',
    ] as const)
      expect(isStopped(template, 'complained'), template).toBe(true);
    expect(isStopped('welcome', null)).toBe(false);
  });
});

it('the state of an email does not depend on the order of its events or their repetitions', () => {
  const after = (states: readonly DeliveryState[]): DeliveryState | null =>
    states.reduce<DeliveryState | null>(
      (now, next) => (now === null || weakerThan(next).includes(now) ? next : now),
      null,
    );
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...DELIVERY_STATES), { minLength: 1 }),
      fc.infiniteStream(fc.nat()),
      (states, random) => {
        const shuffled = [...states, ...states]
          .map((state) => [random.next().value as number, state] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, state]) => state);
        expect(after(shuffled)).toBe(after(states));
      },
    ),
  );
});

describe('the reason of a foreign server', () => {
  it.each([
    ['550 5.1.1 <a@b.test>: unknown', '550 5.1.1 a@b.test : unknown'],
    ['<script>alert(1)</script>', 'script alert(1) /script'],
    ['two\r\nlines\u0000 and\u202e more', 'two lines and more'],
    ['  ', ''],
  ])('%j is stored as %j', (reason, text) => expect(cleanReason(reason)).toBe(text));

  it('has at most 200 characters, none of them split', () => {
    const text = cleanReason('🦊'.repeat(REASON_MAX + 1));
    expect([...text]).toHaveLength(REASON_MAX);
    expect(text.isWellFormed()).toBe(true);
    expect(cleanReason(`${'x'.repeat(10)}\ud800`)).toBe('x'.repeat(10));
  });
});
