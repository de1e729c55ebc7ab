import { createHmac } from 'node:crypto';

/** Implements Stripe's v1 scheme, https://docs.stripe.com/webhooks#verify-manually. `at` is real time in Unix seconds. */
export const signPayload = (payload: string, secret: string, at: number): string => {
  const signature = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${signature}`;
};
