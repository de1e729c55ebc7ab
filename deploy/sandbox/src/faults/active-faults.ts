import type { World } from '../context.ts';
import type { Fault } from './fault.ts';

/** One rule per method and path: the same again replaces the one before. */
export const addFault = (world: World, fault: Fault): void => {
  const others = world.faults.filter(({ method, path }) => method !== fault.method || path !== fault.path);
  world.faults = [...others, fault];
};

const isMet = (rule: Fault, method: string, path: string): boolean => {
  if (rule.method !== null && rule.method !== method) return false;
  if (!rule.path.includes('/:')) return path.startsWith(rule.path);
  const wanted = rule.path.split('/');
  const parts = path.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, place) => part.startsWith(':') || part === parts[place])
  );
};

/** The rule that this call meets, used up by one. */
export const takeFault = (world: World, method: string, path: string): Fault | null => {
  const fault = world.faults.find((rule) => isMet(rule, method, path));
  if (!fault) return null;
  fault.times -= 1;
  world.faults = world.faults.filter((rule) => rule.times > 0);
  return fault;
};

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
