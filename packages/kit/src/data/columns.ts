// The columns of entities (entity.ts), by the type of their values.
import type { EntitySchemaColumnOptions } from 'typeorm';

declare const valueType: unique symbol;
export type Column<T> = EntitySchemaColumnOptions & { readonly [valueType]?: T };
export type ValueOf<C> = C extends { readonly [valueType]?: infer T } ? T : never;

const columnOf = <T>(options: EntitySchemaColumnOptions): Column<T> => options;

export const uuid = columnOf<string>({ type: 'char', length: 36 });
export const varchar = (length: number): Column<string> => columnOf({ type: 'varchar', length });
export const int = columnOf<number>({ type: 'int' });
export const unsigned = columnOf<number>({ type: 'int', unsigned: true });
export const tinyint = <T extends number>(): Column<T> => columnOf({ type: 'tinyint', unsigned: true });
/** The driver returns some as text. */
export const bigId = columnOf<number>({
  type: 'bigint',
  unsigned: true,
  transformer: { from: Number, to: (id: number) => id },
});
export const boolean = columnOf<boolean>({ type: 'boolean' });
/** A day as YYYY-MM-DD. */
export const date = columnOf<string>({ type: 'date' });
export const dateTime = columnOf<Date>({ type: 'datetime', precision: 3 });
export const enumOf = <const T extends string>(values: readonly T[]): Column<T> =>
  columnOf({ type: 'enum', enum: [...values] });
export const json = <T>(): Column<T> => columnOf({ type: 'simple-json' });
export const nullable = <T>(options: Column<T>): Column<T | null> => ({ ...options, nullable: true });
