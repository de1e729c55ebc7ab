import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type ServerProcess = { url: string; pid: number; stop: () => Promise<void> };

/** Starts a server that prints its port when it listens, in a process of its own. */
export const startServerProcess = async (
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ServerProcess> => {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
};
