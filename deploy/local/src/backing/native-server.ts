import { startChild, type Child, type ChildCommand } from '../host/child.ts';
import type { Print } from '../host/print.ts';
import { type ReadinessCheck, waitForReady } from '../waiting/wait-for-ready.ts';
import type { Server } from './server.ts';

type NativeServer = ChildCommand & { name: string; url: string; check: ReadinessCheck; print: Print };

/** Starts a server as a child of this process and waits until it is ready; on failure nothing is left running. */
export const startNativeServer = async (server: NativeServer): Promise<Server> => {
  const { name, check, print } = server;
  let child: Child | null = null;
  const start = async (): Promise<void> => {
    if (child && child.exit() === null) return;
    const started = startChild(server);
    child = started;
    try {
      await waitForReady([{ name, check, child: started }], { print });
    } catch (error) {
      await started.stop(2_000);
      throw error;
    }
  };
  const stop = async (): Promise<void> => {
    await child?.stop();
  };
  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await child?.exited;
  };
  await start();
  return { url: server.url, start, stop, kill };
};
