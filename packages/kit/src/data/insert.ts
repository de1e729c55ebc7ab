// Inserts of rows. Statements with conditions are written by hand.
import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { affectedRows, type Tx } from './db.ts';

/** A function returns a database expression, such as `NOW(3)`. */
type Insert<Row> = { [Name in keyof Row]?: Row[Name] | (() => string) };

const builderOf = <Row extends ObjectLiteral>(
  tx: Tx,
  entity: EntitySchema<Row>,
  rows: Insert<Row> | Insert<Row>[],
) => tx.createQueryBuilder().insert().into(entity).values(rows).updateEntity(false);

/** Inserts rows whose keys are free. */
export const insertRows = async <Row extends ObjectLiteral>(
  tx: Tx,
  entity: EntitySchema<Row>,
  rows: Insert<Row> | Insert<Row>[],
): Promise<void> => {
  await builderOf(tx, entity, rows).execute();
};

/**
 * Inserts the rows whose keys do not exist, and returns how many. Existing rows stay locked for reading: a transaction that goes on to change
 * one uses `insertOrLock`.
 */
export const insertIfAbsent = async <Row extends ObjectLiteral>(
  tx: Tx,
  entity: EntitySchema<Row>,
  rows: Insert<Row> | Insert<Row>[],
): Promise<number> => {
  if (Array.isArray(rows) && rows.length === 0) return 0;
  const result = await builderOf(tx, entity, rows).orIgnore().execute();
  return affectedRows(result.raw);
};

/** Inserts the rows, or updates these properties of existing ones. */
export const upsert = async <Row extends ObjectLiteral>(
  tx: Tx,
  entity: EntitySchema<Row>,
  { rows, update }: { rows: Insert<Row>[]; update: readonly (keyof Row & string)[] },
): Promise<void> => {
  if (rows.length === 0) return;
  const { columns } = tx.connection.getMetadata(entity);
  const names = columns
    .filter(({ propertyName }) => update.includes(propertyName))
    .map(({ databaseName }) => databaseName);
  await builderOf(tx, entity, rows).orUpdate(names).execute();
};

/** All properties of an entity except these, so that an upsert also covers properties added later. */
export const propertiesExcept = <Row>(
  { options: { columns } }: EntitySchema<Row>,
  ...properties: (keyof Row & string)[]
): (keyof Row & string)[] =>
  (Object.keys(columns) as (keyof Row & string)[]).filter((property) => !properties.includes(property));

/** Inserts the row, or locks the existing one with its key until the transaction ends, without changing it. */
export const insertOrLock = <Row extends ObjectLiteral>(
  tx: Tx,
  entity: EntitySchema<Row>,
  row: Insert<Row>,
): Promise<void> => {
  const key = tx.connection.getMetadata(entity).primaryColumns.map(({ propertyName }) => propertyName);
  return upsert(tx, entity, { rows: [row], update: key });
};
