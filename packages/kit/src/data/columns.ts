// The columns of entities (entity.ts), by the type of their values.
import type { EntitySchemaColumnOptions } from 'typeorm';

declare const valueType: unique symbol;
export type Column<T> = EntitySchemaColumnOptions & { readonly [valueType]?: T };
export type ValueOf<C> = C extends { readonly [valueType]?: infer T } ? T : never;

const columnOf = <T>(options: EntitySchemaColumnOptions): Column<T> => options;

/** The driver returns a DECIMAL as text, and a BIGINT too if it is large. */
const asNumber = {
  to: (value: unknown) => value,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
};

export const char = (length: number): Column<string> => columnOf({ type: 'char', length });
export const uuid = char(36);
export const varchar = <T extends string = string>(length: number): Column<T> =>
  columnOf({ type: 'varchar', length });
export const text = columnOf<string>({ type: 'text' });
export const blob = columnOf<Buffer>({ type: 'mediumblob' });
export const int = columnOf<number>({ type: 'int' });
export const unsigned = columnOf<number>({ type: 'int', unsigned: true });
export const tinyint = <T extends number>(): Column<T> => columnOf({ type: 'tinyint', unsigned: true });
export const bigint = columnOf<number>({ type: 'bigint', unsigned: true, transformer: asNumber });
/** Exact as long as a number is. */
export const decimal = (precision: number, scale: number): Column<number> =>
  columnOf({ type: 'decimal', precision, scale, transformer: asNumber });
export const boolean = columnOf<boolean>({ type: 'boolean' });
/** A day as YYYY-MM-DD. */
export const date = columnOf<string>({ type: 'date' });
export const dateTime = columnOf<Date>({ type: 'datetime', precision: 3 });
export const enumOf = <const T extends string>(values: readonly T[]): Column<T> =>
  columnOf({ type: 'enum', enum: [...values] });
/** Separated by commas, in the order of `values`. One that this version does not know is left out. */
export const listOf = <const T extends string>(values: readonly T[], length: number): Column<T[]> =>
  columnOf({
    type: 'varchar',
    length,
    transformer: {
      to: (list: unknown) => (Array.isArray(list) ? list.join(',') : list),
      from: (stored: string) => values.filter((value) => stored.split(',').includes(value)),
    },
  });
export const json = <T>(): Column<T> => columnOf({ type: 'simple-json' });
export const nullable = <T>(options: Column<T>): Column<T | null> => ({ ...options, nullable: true });
