/** Gives the present moment. Passed in, so that a test can hold time still. */
export type Clock = () => Date;
