import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A forward-only change of the database. Each statement commits by itself, so a statement must be safe to run again after an
 * interrupted attempt. `name` ends in a 13-digit timestamp, which orders migrations. A class, because TypeORM requires one.
 */
export const migration = (name: string, statements: readonly string[]): new () => MigrationInterface =>
  // eslint-disable-next-line house/no-class -- TypeORM takes a migration only as a class
  class implements MigrationInterface {
    readonly name = name;
    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }
    down(): Promise<void> {
      return Promise.reject(new Error('migrations go forward only'));
    }
  };
