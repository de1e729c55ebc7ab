// Entities of which the columns say the type of a row, so that no type repeats them.
import { EntitySchema, type EntitySchemaColumnOptions, type ObjectLiteral } from 'typeorm';
import type { Column, ValueOf } from './columns.ts';

type Columns = Readonly<Record<string, Column<unknown>>>;
type Row<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<C[Name]> };
/** What a row of an entity has. */
export type RowOf<Entity> = Entity extends EntitySchema<infer R extends ObjectLiteral> ? R : never;

/** `userId` → `user_id`. */
const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An entity of a table. A column has the name of its property in snake_case, unless it has a `name`. */
export const defineEntity = <const C extends Columns>(
  name: string,
  tableName: string,
  columns: C,
): EntitySchema<Row<C>> =>
  new EntitySchema<Row<C>>({
    name,
    tableName,
    columns: Object.fromEntries(
      Object.entries(columns).map(([property, options]) => [
        property,
        { name: columnName(property), ...options },
      ]),
    ) as Record<keyof C, EntitySchemaColumnOptions>,
  });
