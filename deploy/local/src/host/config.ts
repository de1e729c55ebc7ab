/** Returns the environment of this process. No other file of this package reads `process.env`. */
export const environment = (): NodeJS.ProcessEnv => process.env;
