import { ConfigError, readConfig } from './config.ts';
import { StateFileError } from './state.ts';
import { createSandbox } from './sandbox.ts';

const isListenError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && error.syscall === 'listen';

try {
  const config = readConfig(process.env);
  const report = (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  };
  const sandbox = createSandbox({ config, clock: () => Date.now(), report });
  const { url, close } = await sandbox.listen();
  process.stdout.write(`The sandbox listens on ${url}\n`);
  const stop = () => void close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const isExplained = error instanceof ConfigError || error instanceof StateFileError || isListenError(error);
  process.stderr.write(`${isExplained ? error.message : String((error as Error).stack)}\n`);
  process.exit(1);
}
