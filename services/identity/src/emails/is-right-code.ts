import { MAILED_CODE_TRIES } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { countCodeTry } from '../accounts/queries.ts';
import { type CodeKeys, type CodeUse, matchCode } from '../tokens/mailed-tokens.ts';

/**
 * Returns whether this is the code of a mail to the account. A try counts for the account, whichever mail the code is of, before the
 * comparison; after MAILED_CODE_TRIES in a day no code is right, and the links still work.
 */
export const isRightCode = async (
  tx: Tx,
  use: CodeUse,
  context: { now: Date; keys: CodeKeys },
): Promise<boolean> =>
  (await countCodeTry(tx, use.accountId, context.now)) <= MAILED_CODE_TRIES && matchCode(tx, use, context);
