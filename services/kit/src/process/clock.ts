/** Returns the current time. Passed as an argument, so that a test can stop it. */
export type Clock = () => Date;
