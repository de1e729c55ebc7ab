/** The current time in milliseconds. No other module reads the clock. */
export const now = (): number => Date.now();
