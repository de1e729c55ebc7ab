// Places where a crash or a lost connection would do most harm. A fault run arms some of them by what it preloads
// (testing/arm-fail-points.ts); the code of a production image has nothing that could. apps/faults/injection.ts lists them.

// Module state, the only one in kit: callers would not pass a crash along as an argument.
let fires: (name: string) => boolean = () => false;

/** Sets the function that says whether a point fires now. */
export const setFailPoints = (next: (name: string) => boolean): void => {
  fires = next;
};

/**
 * Kills the process if a fault run has armed this point, as a power failure would: no handler runs, nothing is flushed. Otherwise
 * does nothing.
 */
export const failPoint = (name: string): void => {
  if (fires(name)) process.kill(process.pid, 'SIGKILL');
};

/** Throws the error of a connection that is lost before the response, if a fault run has armed this point. */
export const loseResponse = (name: string): void => {
  if (fires(name))
    throw Object.assign(new Error('connection lost before the response'), {
      code: 'PROTOCOL_CONNECTION_LOST',
    });
};
