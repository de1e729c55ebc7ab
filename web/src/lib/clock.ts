/** The machine's time, in milliseconds. The one place in the browser that asks for it. */
export const now = (): number => Date.now();
