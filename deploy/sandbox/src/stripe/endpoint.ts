import Joi from 'joi';
import type { World } from '../context.ts';
import type { FormObject } from './form-encoding.ts';
import { readParams } from './params.ts';

/** One call of the API. Checking comes before the work, since a refused request is not kept under its key. */
export type Door = {
  method: 'get' | 'post' | 'delete';
  path: string;
  prepare: (raw: FormObject, id: string) => (world: World) => object;
};

type DoorParts<T> = {
  method: Door['method'];
  path: string;
  params: Joi.ObjectSchema<T>;
  run: (world: World, params: T, id: string) => object;
};

export const door = <T>({ method, path, params, run }: DoorParts<T>): Door => ({
  method,
  path,
  prepare: (raw, id) => {
    const checked = readParams(params, raw);
    return (world) => run(world, checked, id);
  },
});

export const noParams = Joi.object({});

export const retrieveDoor = (path: string, find: (world: World, id: string) => object): Door =>
  door({ method: 'get', path, params: noParams, run: (world, _params, id) => find(world, id) });
