import { StartError } from '../host/messages.ts';
import { findFreePorts } from '../host/ports.ts';

export const PROCESS_NAMES = [
  'sandbox',
  'identity',
  'profile',
  'billing',
  'credits',
  'worker',
  'bff',
] as const;

export type ProcessName = (typeof PROCESS_NAMES)[number];
type ProcessPorts = Record<ProcessName, number>;

/** `operatorPorts`: those of health and metrics. */
export type SystemPorts = { ports: ProcessPorts; operatorPorts: ProcessPorts };

/** The distances from bff's port of the port of each process and of its operators' port; the sandbox has one for both. */
const OFFSETS: Record<ProcessName, readonly [number, number]> = {
  bff: [0, 6],
  identity: [1, 7],
  profile: [2, 8],
  billing: [3, 9],
  credits: [4, 11],
  worker: [5, 12],
  sandbox: [10, 10],
};

/** The distance of Vite's development server from bff's port. */
export const WEB_DEV_OFFSET = 15;

/** The distance of the first port of the backing services from bff's port. */
export const BACKING_OFFSET = 20;

export const byProcess = <Value>(valueOf: (name: ProcessName) => Value): Record<ProcessName, Value> =>
  Object.fromEntries(PROCESS_NAMES.map((name) => [name, valueOf(name)])) as Record<ProcessName, Value>;

/** Returns the ports that follow from bff's. */
export const portsFromBase = (base: number): SystemPorts => ({
  ports: byProcess((name) => base + OFFSETS[name][0]),
  operatorPorts: byProcess((name) => base + OFFSETS[name][1]),
});

export const chooseFreePorts = async (): Promise<SystemPorts> => {
  const free = await findFreePorts(2 * PROCESS_NAMES.length);
  const ports = byProcess(() => free.pop() ?? 0);
  return { ports, operatorPorts: { ...byProcess(() => free.pop() ?? 0), sandbox: ports.sandbox } };
};

/** Reads bff's port from the value of PORT; throws a `StartError` for one that cannot be used. */
export const readBasePort = (value: string | undefined): number => {
  const base = Number(value || 5000);
  if (Number.isInteger(base) && base >= 1024 && base <= 65_000) return base;
  throw new StartError('PORT must be a whole number from 1024 to 65000, as in: make start PORT=7000');
};

/** Returns the ports of all processes, with Vite's development server among them. */
export const processPorts = (base: number): number[] => {
  const { ports, operatorPorts } = portsFromBase(base);
  return [...new Set([...Object.values(ports), ...Object.values(operatorPorts), base + WEB_DEV_OFFSET])];
};
