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
export type ProcessPorts = Record<ProcessName, number>;

const OFFSETS: ProcessPorts = {
  bff: 0,
  ...{ identity: 1, profile: 2, billing: 3, credits: 4, worker: 5 },
  sandbox: 10,
};

/** The distances of the operators' ports from bff's port; the sandbox serves its health on its own. */
const OPERATOR_OFFSETS: ProcessPorts = {
  ...{ bff: 6, identity: 7, profile: 8, billing: 9 },
  ...{ credits: 11, worker: 12 },
  sandbox: OFFSETS.sandbox,
};

/** The distance of Vite's development server from bff's port. */
export const WEB_DEV_OFFSET = 15;

/** The distance of the first port of the backing services from bff's port. */
export const BACKING_OFFSET = 20;

const fromBase = (base: number, offsets: ProcessPorts): ProcessPorts =>
  Object.fromEntries(PROCESS_NAMES.map((name) => [name, base + offsets[name]])) as ProcessPorts;

export const portsFromBase = (base: number): ProcessPorts => fromBase(base, OFFSETS);

export const operatorPortsFromBase = (base: number): ProcessPorts => fromBase(base, OPERATOR_OFFSETS);

/** `operatorPorts`: those of health and metrics. */
export type SystemPorts = { ports: ProcessPorts; operatorPorts: ProcessPorts };

const freePorts = async (): Promise<SystemPorts> => {
  const free = await findFreePorts(2 * PROCESS_NAMES.length);
  const next = (): ProcessPorts =>
    Object.fromEntries(PROCESS_NAMES.map((name) => [name, free.pop()])) as ProcessPorts;
  const ports = next();
  return { ports, operatorPorts: { ...next(), sandbox: ports.sandbox } };
};

/** The ports that follow from the first one, or free ones. */
export const choosePorts = async (base: number | undefined): Promise<SystemPorts> =>
  base === undefined
    ? freePorts()
    : { ports: portsFromBase(base), operatorPorts: operatorPortsFromBase(base) };
