import { expect, it } from 'vitest';
import { actionsOf, AUDIT_ACTIONS } from '../src/audit-log.ts';

const KINDS = ['account', 'security', 'payments', 'credits'];

it('each action is of one kind, by its area unless it says otherwise', () => {
  expect(KINDS.flatMap(actionsOf).toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  expect(actionsOf('payments')).toContain('alert.resolve');
  expect(actionsOf('credits')).toEqual(['credits.grant', 'credits.revoke']);
  expect(actionsOf('security')).toEqual(
    expect.arrayContaining(['account.view', 'account.set_password', 'key.revoke']),
  );
  expect(actionsOf('account')).toEqual(expect.arrayContaining(['account.delete', 'profile.update']));
});
