/** The only place in this package, the main files aside, that sees the environment. */
export const environment = (): NodeJS.ProcessEnv => process.env;
