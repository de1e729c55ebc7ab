import { findFreePorts } from '../host/ports.ts';
import {
  type Deployment,
  operatorPortsFromBase,
  portsFromBase,
  PROCESS_NAMES,
  type ProcessPorts,
} from './processes.ts';

type Ports = Pick<Deployment, 'ports' | 'operatorPorts'>;

const freePorts = async (): Promise<Ports> => {
  const free = await findFreePorts(2 * PROCESS_NAMES.length);
  const next = (): ProcessPorts =>
    Object.fromEntries(PROCESS_NAMES.map((name) => [name, free.pop()])) as ProcessPorts;
  const ports = next();
  return { ports, operatorPorts: { ...next(), sandbox: ports.sandbox } };
};

/** The ports that follow from the first one, or free ones. */
export const choosePorts = async (base: number | undefined): Promise<Ports> =>
  base === undefined
    ? freePorts()
    : { ports: portsFromBase(base), operatorPorts: operatorPortsFromBase(base) };
