import { StartError } from '../host/errors.ts';
import { isPortBlocked, isPortFree } from '../host/ports.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { operatorPortsFromBase, portsFromBase, WEB_DEV_OFFSET } from './system-ports.ts';

const DEFAULT_BASE = 5000;
const LOWEST_BASE = 1024;
const HIGHEST_BASE = 65_000;
const STEP = 1000;
// After a killed start its processes may need a moment to end.
const PORTS_LIMIT_MS = 3_000;

type NamedPort = { name: string; port: number };

const httpPorts = (base: number, watch: boolean): NamedPort[] => [
  ...Object.entries(portsFromBase(base)).map(([name, port]) => ({ name, port })),
  ...Object.entries(operatorPortsFromBase(base))
    .filter(([name]) => name !== 'sandbox') // it has one port for both
    .map(([name, port]) => ({ name: `${name}'s operators`, port })),
  ...(watch ? [{ name: 'web', port: base + WEB_DEV_OFFSET }] : []),
];

const findBlocked = (base: number, watch: boolean): NamedPort | undefined =>
  httpPorts(base, watch).find(({ port }) => isPortBlocked(port));

const suggestAfter = (base: number, watch: boolean): number => {
  const next = base + STEP > HIGHEST_BASE ? DEFAULT_BASE : base + STEP;
  return findBlocked(next, watch) ? suggestAfter(next, watch) : next;
};

/** Reads the first port from the value of PORT; throws a `StartError` for one that cannot be used. */
export const readBasePort = (value: string | undefined, watch: boolean): number => {
  const base = Number(value || DEFAULT_BASE);
  if (!Number.isInteger(base) || base < LOWEST_BASE || base > HIGHEST_BASE)
    throw new StartError(
      `PORT must be a whole number from ${LOWEST_BASE} to ${HIGHEST_BASE}, as in: make start PORT=7000`,
    );
  const blocked = findBlocked(base, watch);
  if (!blocked) return base;
  throw new StartError(
    `PORT=${base} cannot be used: browsers and fetch refuse port ${blocked.port} (${blocked.name}); choose other ports: make start PORT=${suggestAfter(base, watch)}`,
  );
};

const findTaken = async (ports: number[]): Promise<number | null> => {
  for (const port of ports) if (!(await isPortFree(port))) return port;
  return null;
};

/** Throws a `StartError` when another program uses a port of the processes. */
export const requireFreePorts = async (base: number, watch: boolean): Promise<void> => {
  const ports = httpPorts(base, watch).map(({ port }) => port);
  const areFree = async (): Promise<boolean> => (await findTaken(ports)) === null;
  if (await waitUntil(areFree, { limitMs: PORTS_LIMIT_MS, everyMs: 500 })) return;
  const taken = await findTaken(ports);
  throw new StartError(
    `Port ${taken} is in use by another program; end that one, or choose other ports: make start PORT=${suggestAfter(base, watch)}`,
  );
};
