/**
 * Places where a crash or a lost connection would do most harm. A fault run arms some of them by what it
 * preloads (testing/arm-fail-points.ts); the code of a production image has nothing that could.
 */
export type FailPoint =
  | 'outbox.before_insert'
  | 'transaction.after_commit'
  | 'transaction.response_lost'
  | 'relay.before_publish'
  | 'relay.after_publish'
  | 'inbox.before_commit'
  | 'consumer.after_commit'
  | 'stripe_inbox.after_insert'
  | 'stripe_inbox.after_answer'
  | 'mail.after_accept';

// Module state, the only one in kit: callers would not pass a crash along as an argument.
let fires: (name: FailPoint) => boolean = () => false;

/** Sets the function that says whether a point fires now. */
export const setFailPoints = (next: (name: FailPoint) => boolean): void => {
  fires = next;
};

/**
 * Kills the process if a fault run has armed this point, as a power failure would: no handler runs, nothing is flushed. Otherwise
 * does nothing.
 */
export const failPoint = (name: FailPoint): void => {
  if (fires(name)) process.kill(process.pid, 'SIGKILL');
};

/** Throws the error of a connection that is lost before the response, if a fault run has armed this point. */
export const loseResponse = (name: FailPoint): void => {
  if (fires(name))
    throw Object.assign(new Error('connection lost before the response'), {
      code: 'PROTOCOL_CONNECTION_LOST',
    });
};
