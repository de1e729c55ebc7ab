// Places where a crash or a lost connection would do most harm. A fault run arms some of them by preloading testing/arm-fail-points.ts, which
// production images do not contain. tools/faults/injection.ts lists them.

// Module state, because callers should not have to pass this as an argument.
let fires: (name: string) => boolean = () => false;

/** Sets the function that says whether a point fires now. */
export const setFailPoints = (next: (name: string) => boolean): void => {
  fires = next;
};

/** Kills the process like a power failure if a fault run has armed this point: no handler runs, nothing is flushed. */
export const failPoint = (name: string): void => {
  if (fires(name)) process.kill(process.pid, 'SIGKILL');
};

/** Throws the error of a connection lost before the response, if a fault run has armed this point. */
export const loseResponse = (name: string): void => {
  if (fires(name))
    throw Object.assign(new Error('connection lost before the response'), {
      code: 'PROTOCOL_CONNECTION_LOST',
    });
};
