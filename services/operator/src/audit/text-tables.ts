import type { Reader } from '@shortlist/kit/data/reader';
import type { TextTable } from './personal-data.rules.ts';

type Column = {
  tableName: string;
  columnName: string;
  type: string;
  characterSet: string | null;
  isKey: number;
};

const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json']);
/** The columns that name the account of a row, by precedence; a message key is the user of an event. */
const OWNERS = ['user_id', 'account_id', 'target_id', 'message_key'];
/** The tables whose rows are what `OWNERS` refer to. */
const OWN_IDS = new Set(['accounts', 'admin_invitations']);

const ownerOf = (name: string, columns: Column[]): string | null => {
  const owner = OWNERS.find((candidate) => columns.some(({ columnName }) => columnName === candidate));
  return owner ?? (OWN_IDS.has(name) ? 'id' : null);
};

/** Every table of a database that has texts, from the database's own description: a new table is searched without being named here. */
export const listTextTables = async (db: Reader): Promise<TextTable[]> => {
  const columns = await db.select<Column>(
    `SELECT table_name AS tableName, column_name AS columnName, data_type AS type,
       character_set_name AS characterSet, column_key = 'PRI' AS isKey
     FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name <> 'migrations'
     ORDER BY table_name, ordinal_position`,
  );
  const groups = Map.groupBy(columns, ({ tableName }) => tableName);
  return [...groups].flatMap(([name, ofTable]) => {
    const texts = ofTable.filter(({ type }) => TEXT_TYPES.has(type));
    if (texts.length === 0) return [];
    return [
      {
        name,
        key: ofTable.filter(({ isKey }) => Number(isKey) === 1).map(({ columnName }) => columnName),
        owner: ownerOf(name, ofTable),
        columns: texts.map(({ columnName }) => columnName),
        written: texts
          .filter(({ characterSet }) => characterSet !== 'ascii')
          .map(({ columnName }) => columnName),
      },
    ];
  });
};
