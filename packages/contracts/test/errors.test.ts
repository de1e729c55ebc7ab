import { errorMessage } from '@shortlist/contracts/errors';
import { expect, it } from 'vitest';

it.each([
  [1, 'in 1 second.'],
  [45, 'in 45 seconds.'],
  [91, 'in 2 minutes.'],
  [900, 'in 15 minutes.'],
])('the message of a rate limit says how long to wait: %i s', (seconds, end) => {
  expect(errorMessage('request.rate_limited', seconds)).toBe(`Too many attempts. Please try again ${end}`);
});

it('other messages do not depend on the wait', () => {
  expect(errorMessage('billing.busy', 5)).toBe(errorMessage('billing.busy'));
});
